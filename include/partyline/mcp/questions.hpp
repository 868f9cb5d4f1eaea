#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/content.hpp>
#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/rpc/json_schema.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// The user's decision about a form, or about a page to be opened.
enum class elicit_action : std::uint8_t { accept, decline, cancel };
BOOST_DESCRIBE_ENUM(elicit_action, accept, decline, cancel)

/// The text of a decision in messages: "accept".
PARTYLINE_EXPORT std::string_view to_string(elicit_action what) noexcept;

/// An answer to a form: its members are there when it was accepted.
template <class T>
class form_answer {
public:
    form_answer() = default;
    /// An answer without content; `accept` makes one with content.
    explicit form_answer(elicit_action how) noexcept : action_(how) {}
    /// An accepted form with its members.
    explicit form_answer(T content) : action_(elicit_action::accept), content_(std::move(content)) {}

    /// The user's decision.
    elicit_action action() const noexcept { return action_; }
    /// Whether the form was accepted, and so has members.
    explicit operator bool() const noexcept { return content_.has_value(); }
    /// The members. Throws `std::bad_optional_access` where the form was not accepted.
    const T& operator*() const { return content_.value(); }
    /// A member of the answer. Throws `std::bad_optional_access` where the form was not accepted.
    const T* operator->() const { return &content_.value(); }

private:
    elicit_action action_ = elicit_action::cancel;
    std::optional<T> content_;
};

/// A request for a message of the client's model: `sampling/createMessage`.
struct sampling_request {
    /// A part of the conversation that the model is to go on with.
    struct message {
        /// The author of the message.
        mcp::role role = mcp::role::user;
        /// The content of the message.
        std::vector<mcp::content> content;
    };

    /// The conversation so far.
    std::vector<message> messages;
    /// The largest number of tokens of the answer.
    std::int64_t max_tokens = 1000;
    /// The system prompt; left out when empty.
    std::string system_prompt = {};
    /// The temperature of the sampling; left out when unset.
    std::optional<double> temperature = {};
    /// Texts that end the answer; left out when there are none.
    std::vector<std::string> stop_sequences = {};
    /// Members of the request that have no place here: `modelPreferences`, `tools`, `toolChoice`, `metadata`. Tools are
    /// offered only to clients that say that they take some: see `context::can_sample_with_tools`.
    boost::json::object others = {};

    sampling_request() = default;
    /// A request with one text of the user.
    sampling_request(std::string prompt, std::int64_t most_tokens) : max_tokens(most_tokens)
    {
        messages.push_back({mcp::role::user, {mcp::content(std::move(prompt))}});
    }
};

/// The message of the model.
struct PARTYLINE_EXPORT sampling_answer {
    /// The author of the message: mostly the assistant.
    mcp::role role = mcp::role::assistant;
    /// The model's name, as the client tells it.
    std::string model;
    /// The reason why the message ends: "endTurn", "maxTokens" and the like; empty where the client does not tell.
    std::string stop_reason;
    boost::json::value content; ///< a block of content, or an array of them

    /// The texts in it, a line each.
    std::string text() const;
};

/// A folder or the like that a client lets a server work in.
struct root {
    std::string uri; ///< file://...
    /// The name for people; empty where the client does not tell.
    std::string name;
};

/// The key of the last question that a handler has asked its client, in the legacy era, whose messages do not have the
/// key: it is kept with the request, for middleware around calls (`call.request()->attached<mcp::question_key>()`).
struct PARTYLINE_EXPORT question_key {
    /// The key that the handler has given.
    std::string text;
};

namespace detail {

/// A question without the type of its answer. The key is its author's: unique in its handler, and the same whenever the
/// handler is run again.
struct question {
    std::string key;
    std::string method;
    boost::json::object params;
};

/// The params of a form: `{message, requestedSchema}`.
PARTYLINE_EXPORT boost::json::object form_params(std::string message, boost::json::object schema);
PARTYLINE_EXPORT boost::json::object url_params(std::string message, std::string url);
PARTYLINE_EXPORT boost::json::object sampling_params(const sampling_request& of);

/// An elicitation's answer: its action, and the content, null where there is none. Empty where it is no answer.
struct elicit_result {
    elicit_action action;
    boost::json::value content;
};
PARTYLINE_EXPORT std::optional<elicit_result> read_elicit_result(const boost::json::value& from);
PARTYLINE_EXPORT std::optional<sampling_answer> read_sampling_answer(const boost::json::value& from);
PARTYLINE_EXPORT std::optional<std::vector<root>> read_roots(const boost::json::value& from);

/// A field that forms have. (Several choices in one since 2025-11-25.)
template <class T>
inline constexpr bool is_form_field =
    std::is_same_v<T, std::string> || std::is_arithmetic_v<T> || partyline::detail::described_enum<T>;
template <class T>
inline constexpr bool is_form_field<std::vector<T>> = partyline::detail::described_enum<T>;

template <class T, class... Member>
constexpr bool are_form_fields(boost::mp11::mp_list<Member...>)
{
    return (is_form_field<partyline::detail::bare_t<partyline::detail::member_type<T, Member>>> && ...);
}
template <class T>
constexpr bool is_form()
{
    if constexpr (partyline::detail::described_struct<T>)
        return are_form_fields<T>(partyline::detail::member_list<T>());
    else
        return false;
}

} // namespace detail

// Questions, for `context::ask`. `read` makes the value of an answer, and nothing where the answer does not fit: then
// the question counts as not answered.

/// A form for the user. `T` is a described struct whose members are strings, numbers, booleans and enums, or optional
/// ones; lists of enums, from 2025-11-25 on.
template <class T>
struct form : detail::question {
    /// Whether `T` can be the type of a form.
    static constexpr bool is_flat = detail::is_form<T>();
    static_assert(is_flat, "a form is a described struct (BOOST_DESCRIBE_STRUCT) whose members are strings, numbers, "
                           "booleans and described enums, or optional ones, or lists of such enums");

    /// The type that `context::ask` returns.
    using answer_type = form_answer<T>;

    /// `name` is the question's key; `message` asks the user for the contents.
    form(std::string name, std::string message)
        : question{std::move(name), "elicitation/create",
                   detail::form_params(std::move(message), partyline::json_schema<T>())}
    {
    }

    /// Reads an answer.
    static std::optional<answer_type> read(const boost::json::value& from)
    {
        std::optional<detail::elicit_result> told = detail::read_elicit_result(from);
        if (!told)
            return std::nullopt;
        if (told->action != elicit_action::accept)
            return answer_type(told->action);
        try {
            error_object mismatch;
            std::optional<T> content = partyline::detail::read_tolerantly<T>(told->content, mismatch);
            return content ? std::optional(answer_type(std::move(*content))) : std::nullopt;
        } catch (const rpc_error&) {
            return std::nullopt;
        }
    }
};

/// A form whose schema is written by hand; the answer is the content as it comes.
struct PARTYLINE_EXPORT raw_form : detail::question {
    /// The type that `context::ask` returns.
    using answer_type = form_answer<boost::json::value>;

    /// `schema` is that of a flat object.
    raw_form(std::string name, std::string message, boost::json::object schema)
        : question{std::move(name), "elicitation/create", detail::form_params(std::move(message), std::move(schema))}
    {
    }
    /// Reads an answer.
    static std::optional<answer_type> read(const boost::json::value& from);
};

/// A page that the user is to open: for data that the client and its model must not see.
struct PARTYLINE_EXPORT url : detail::question {
    /// The type that `context::ask` returns: accepting says that the user has agreed to open the page.
    using answer_type = elicit_action;

    /// `message` tells the user why; `address` is the page's.
    url(std::string name, std::string message, std::string address)
        : question{std::move(name), "elicitation/create", detail::url_params(std::move(message), std::move(address))}
    {
    }
    /// Reads an answer.
    static std::optional<answer_type> read(const boost::json::value& from);
};

/// A request for a message of the client's model.
struct sample : detail::question {
    /// The type that `context::ask` returns.
    using answer_type = sampling_answer;

    /// `name` is the question's key.
    sample(std::string name, const sampling_request& what)
        : question{std::move(name), "sampling/createMessage", detail::sampling_params(what)}
    {
    }
    /// Reads an answer.
    static std::optional<answer_type> read(const boost::json::value& from)
    {
        return detail::read_sampling_answer(from);
    }
};

/// The client's roots.
struct roots : detail::question {
    /// The type that `context::ask` returns.
    using answer_type = std::vector<root>;

    /// `name` is the question's key.
    explicit roots(std::string name) : question{std::move(name), "roots/list", {}} {}
    /// Reads an answer.
    static std::optional<answer_type> read(const boost::json::value& from) { return detail::read_roots(from); }
};

} // namespace partyline::mcp
