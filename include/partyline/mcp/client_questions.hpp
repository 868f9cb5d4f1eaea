#pragma once

#include <partyline/mcp/log_level.hpp>
#include <partyline/mcp/questions.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

// What a server asks and tells a client. `key`: by which a question is known among those of its call (2026-07-28); empty
// before.

/// A form for the user: what the server says, and the JSON Schema of what it wants, a flat object.
struct elicit_request {
    std::string key;
    std::string message;
    boost::json::object schema;
    boost::json::object raw; ///< all of the params
};

/// What the user has made of a form.
class elicit_answer {
public:
    /// `content` is an object, or a described struct.
    static elicit_answer accept(boost::json::object content) { return {elicit_action::accept, std::move(content)}; }
    template <class T>
    static elicit_answer accept(const T& content)
    {
        boost::json::value made = partyline::detail::struct_to_params(content);
        return {elicit_action::accept, std::move(made.as_object())};
    }
    static elicit_answer decline() { return {elicit_action::decline, {}}; }
    static elicit_answer cancel() { return {elicit_action::cancel, {}}; }

    /// The user has turned away.
    elicit_answer() = default;

    elicit_action action() const noexcept { return action_; }
    const boost::json::object& content() const noexcept { return content_; }

private:
    elicit_answer(elicit_action how, boost::json::object content) : action_(how), content_(std::move(content)) {}

    elicit_action action_ = elicit_action::cancel;
    boost::json::object content_;
};

/// A page that the user is asked to open. Show all of its address and ask before anything is opened; fetch nothing.
struct page_request {
    std::string key;
    std::string message;
    std::string url;
    /// By which `client::on_page_done` names it (2025-11-25); empty where there is none.
    std::string id;
    boost::json::object raw;
};

/// What the client's model is asked to say.
struct sample_request {
    std::string key;
    boost::json::array messages;
    std::int64_t max_tokens = 0;
    std::string system_prompt;
    std::optional<double> temperature;
    std::vector<std::string> stop_sequences;
    boost::json::object raw; ///< all of the params: `modelPreferences`, `tools` and so on

    /// The texts of its messages, a line each.
    std::string text() const;
};

/// A message for the log.
struct log_entry {
    log_level level = log_level::info;
    std::string logger;
    boost::json::value data;

    /// The data, as text.
    std::string text() const;
};

} // namespace partyline::mcp
