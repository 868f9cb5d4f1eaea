#pragma once

#include "form_field.hpp"

#include <partyline/mcp/client/client_questions.hpp>

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace call {

/// A form that is filled in on a terminal, line by line. No I/O.
///
/// Flow: show what `begin()` gives, then for each line that is typed what `take()` gives, until `is_done()`.
class form_dialogue {
public:
    /// `who` asks.
    form_dialogue(const std::string& who, const partyline::mcp::elicit_request& asked);

    std::string begin();
    std::string take(std::string_view line);
    /// There are no more lines: it is cancelled.
    std::string take_end();

    bool is_done() const noexcept { return is_done_; }
    const partyline::mcp::elicit_answer& answer() const noexcept { return answer_; }

private:
    std::string next();
    std::string review() const;
    std::string take_value(std::string_view line);
    std::string take_decision(std::string_view line);
    std::string end(partyline::mcp::elicit_answer with);

    std::string who_;
    std::string message_;
    std::vector<form_field> fields_;
    std::size_t current_ = 0; // behind the last one: the user decides
    boost::json::object content_;
    bool is_done_ = false;
    partyline::mcp::elicit_answer answer_;
};

} // namespace call
