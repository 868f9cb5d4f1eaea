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

// What a server asks and tells a client. `key`: by which a question is known among those of its call (2026-07-28);
// empty before.

/// A form for the user: what the server says, and the JSON Schema of what it wants, a flat object.
struct elicit_request {
    /// By which it is known among those of its call (2026-07-28); empty before.
    std::string key;
    /// What the server says to the user.
    std::string message;
    /// What it wants: a flat object.
    boost::json::object schema;
    boost::json::object raw; ///< all of the params
};

/// What the user has made of a form.
class elicit_answer {
public:
    /// `content` is an object, or a described struct.
    static elicit_answer accept(boost::json::object content) { return {elicit_action::accept, std::move(content)}; }
    /// The same of a described struct.
    template <class T>
    static elicit_answer accept(const T& content)
    {
        boost::json::value made = partyline::detail::struct_to_params(content);
        return {elicit_action::accept, std::move(made.as_object())};
    }
    /// The user has said no.
    static elicit_answer decline() { return {elicit_action::decline, {}}; }
    /// The user has turned away.
    static elicit_answer cancel() { return {elicit_action::cancel, {}}; }

    /// The user has turned away.
    elicit_answer() = default;

    /// What the user has done.
    elicit_action action() const noexcept { return action_; }
    /// What was filled in; empty unless it was accepted.
    const boost::json::object& content() const noexcept { return content_; }

private:
    elicit_answer(elicit_action how, boost::json::object content) : action_(how), content_(std::move(content)) {}

    elicit_action action_ = elicit_action::cancel;
    boost::json::object content_;
};

/// A page that the user is asked to open. Show all of its address and ask before anything is opened; fetch nothing.
struct page_request {
    /// By which it is known among those of its call (2026-07-28); empty before.
    std::string key;
    /// Why the user is to open it.
    std::string message;
    /// Its whole address. It may lead anywhere.
    std::string url;
    /// By which `client::on_page_done` names it (2025-11-25); empty where there is none.
    std::string id;
    /// All of the params.
    boost::json::object raw;
};

/// What the client's model is asked to say.
struct PARTYLINE_EXPORT sample_request {
    /// By which it is known among those of its call (2026-07-28); empty before.
    std::string key;
    /// The conversation so far, as it came: each has a `role` and `content`.
    boost::json::array messages;
    /// The most that may be said.
    std::int64_t max_tokens = 0;
    /// Empty where there is none.
    std::string system_prompt;
    /// Unset where the server does not say.
    std::optional<double> temperature;
    /// What ends the answer when it is said.
    std::vector<std::string> stop_sequences;
    boost::json::object raw; ///< all of the params: `modelPreferences`, `tools` and so on

    /// The texts of its messages, a line each.
    std::string text() const;
};

/// A message for the log.
struct PARTYLINE_EXPORT log_entry {
    /// How severe it is.
    log_level level = log_level::info;
    /// The part of the server that says it; empty where it does not tell.
    std::string logger;
    /// What it says, mostly a text.
    boost::json::value data;

    /// The data, as text.
    std::string text() const;
};

} // namespace partyline::mcp
