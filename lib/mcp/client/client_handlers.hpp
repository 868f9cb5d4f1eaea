#pragma once

#include "mcp/client/declared_extension.hpp"

#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/mcp/detail/client_function.hpp>
#include <partyline/protocol/errc.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace partyline::mcp {

/// A question for the roots.
struct roots_request {
    std::string key;
    boost::json::object raw;
};

/// What a client's author has set. Nothing of it changes after the start, but for the roots.
struct client_handlers {
    std::shared_ptr<detail::answering_function<elicit_answer, elicit_request>> elicit;
    std::shared_ptr<detail::answering_function<elicit_action, page_request>> elicit_page;
    std::shared_ptr<detail::answering_function<sampling_answer, sample_request>> sample;
    bool has_roots = false;
    std::vector<root> roots;
    /// Says them in place of `roots`: of the test client, whose answers go by key.
    std::shared_ptr<detail::answering_function<std::vector<root>, roots_request>> list_roots;

    std::vector<declared_extension> extensions;

    std::function<void(const log_entry&)> log;
    std::function<void()> tools_changed;
    std::function<void()> prompts_changed;
    std::function<void()> resources_changed;
    std::function<void(const std::string&)> resource_updated;
    std::function<void(const std::string&)> page_done;
    std::function<void(error_code)> ended;
};

} // namespace partyline::mcp
