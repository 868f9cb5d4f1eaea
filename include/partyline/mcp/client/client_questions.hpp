#pragma once

#include <partyline/config.hpp>
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

// Questions and messages of a server to a client. `key`: the key of a question among those of its call (2026-07-28);
// empty before.

/// A form for the user: a message of the server, and the JSON Schema of the answer, a flat object.
struct elicit_request {
    /// The key of the question among those of its call (2026-07-28); empty before.
    std::string key;
    /// The message to the user.
    std::string message;
    /// The JSON Schema of the answer, a flat object.
    boost::json::object schema;
    boost::json::object raw; ///< all of the params
};

/// The user's answer to a form.
class elicit_answer {
public:
    /// Accepts a form with an object as its content.
    static elicit_answer accept(boost::json::object content) { return {elicit_action::accept, std::move(content)}; }
    /// Accepts a form with a described struct as its content.
    template <class T>
    static elicit_answer accept(const T& content)
    {
        boost::json::value made = partyline::detail::struct_to_params(content);
        return {elicit_action::accept, std::move(made.as_object())};
    }
    /// Declines a form: the user has refused.
    static elicit_answer decline() { return {elicit_action::decline, {}}; }
    /// Cancels a form: the user has dismissed it without an answer.
    static elicit_answer cancel() { return {elicit_action::cancel, {}}; }

    /// Cancels a form: the user has dismissed it without an answer.
    elicit_answer() = default;

    /// The user's decision.
    elicit_action action() const noexcept { return action_; }
    /// The content of an accepted form; empty otherwise.
    const boost::json::object& content() const noexcept { return content_; }

private:
    elicit_answer(elicit_action how, boost::json::object content) : action_(how), content_(std::move(content)) {}

    elicit_action action_ = elicit_action::cancel;
    boost::json::object content_;
};

/// A page that the user is asked to open. Show all of its address and ask before anything is opened; fetch nothing.
struct page_request {
    /// The key of the question among those of its call (2026-07-28); empty before.
    std::string key;
    /// The reason for the user to open the page.
    std::string message;
    /// The whole address of the page, which may lead anywhere.
    std::string url;
    /// The id of the page for `client::on_page_done` (2025-11-25); empty where there is none.
    std::string id;
    /// All params of the question.
    boost::json::object raw;
};

/// A request for a message of the client's model.
struct PARTYLINE_EXPORT sample_request {
    /// The key of the question among those of its call (2026-07-28); empty before.
    std::string key;
    /// The messages of the conversation so far, as they came: each has a `role` and `content`.
    boost::json::array messages;
    /// The largest number of tokens of the answer.
    std::int64_t max_tokens = 0;
    /// The system prompt; empty where there is none.
    std::string system_prompt;
    /// The temperature of the sampling; unset where the server does not say.
    std::optional<double> temperature;
    /// Texts that end the answer.
    std::vector<std::string> stop_sequences;
    boost::json::object raw; ///< all of the params: `modelPreferences`, `tools` and so on

    /// The texts of the messages, a line each.
    std::string text() const;
};

/// A message for the log.
struct PARTYLINE_EXPORT log_entry {
    /// The severity.
    log_level level = log_level::info;
    /// The part of the server that the message comes from; empty where the server does not say.
    std::string logger;
    /// The contents of the message, mostly a text.
    boost::json::value data;

    /// The data, as text.
    std::string text() const;
};

} // namespace partyline::mcp
