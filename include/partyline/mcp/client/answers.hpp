#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/description.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/read_result.hpp>

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline::mcp {

// Answers of a server to a client.

/// The result of a tool call.
struct PARTYLINE_EXPORT tool_answer {
    /// The blocks of content as they came; each has a `type`.
    std::vector<boost::json::object> content;
    /// The result for programs, if there is one.
    std::optional<json_text> structured;
    /// Whether the call has failed; then the text tells the model why.
    bool is_error = false;
    boost::json::object meta; ///< `_meta`

    /// The texts among its content, a line each.
    std::string text() const;

    /// The structured result as a `T`, which can be any type that a parameter of a handler can have. Servers put a
    /// result that is no object into the member `result` of one; such a result is unwrapped. Without a structured
    /// result a `std::string` is the text.
    ///
    /// Throws `tool_error` with the text where the call has failed; `system_error` with `errc::not_convertible`, whose
    /// text says what was expected and what came.
    template <class T>
    T as() const
    {
        check_success();
        std::string problem = "there is no structured result";
        if (structured) {
            if (std::optional<T> read = partyline::detail::result_reader<T>::read(*structured, problem))
                return *std::move(read);
            std::string other;
            if (const json_text inner = wrapped(); !inner.empty())
                if (std::optional<T> read = partyline::detail::result_reader<T>::read(inner, other))
                    return *std::move(read);
        } else if constexpr (std::is_same_v<T, std::string>)
            return text();
        refuse(problem);
    }

private:
    void check_success() const;
    json_text wrapped() const;
    [[noreturn]] static void refuse(const std::string& problem);
};

/// A part of the contents of a resource.
struct resource_part {
    /// The URI of the part, which may differ from the requested one: that of a resource below it, for example.
    std::string uri;
    /// The media type; empty where the server does not say.
    std::string mime_type;
    /// The text, or the bytes.
    std::string data;
    /// Whether these are bytes, which came in Base64; else it is text.
    bool is_binary = false;
    /// `_meta`; empty without.
    boost::json::object meta;
};

/// The contents of a resource.
struct PARTYLINE_EXPORT resource_answer {
    /// The parts, in the order in which they came.
    std::vector<resource_part> parts;
    /// The result as it came.
    boost::json::object raw;

    /// All texts of the parts, one after the other.
    std::string text() const;
};

/// A message of a prompt.
struct PARTYLINE_EXPORT prompt_part {
    /// The author of the message.
    mcp::role role = mcp::role::user;
    /// A block of content as it came: it has a `type`.
    boost::json::object content;

    /// The text of the content; empty where the content is of another kind.
    std::string text() const;
};

/// A prompt that has been filled in.
struct PARTYLINE_EXPORT prompt_answer {
    /// The description; empty where there is none.
    std::string description;
    /// The messages, in order.
    std::vector<prompt_part> messages;
    /// The result as it came.
    boost::json::object raw;
};

/// Completions of an argument.
struct PARTYLINE_EXPORT completion_answer {
    /// The completions, the most likely first.
    std::vector<std::string> values;
    /// The number of completions in all, where it is known.
    std::optional<std::uint64_t> total;
    /// Whether there are more completions than these.
    bool has_more = false;
};

/// The prompt or the template whose argument is completed.
struct completion_target {
    /// Whether it is a template of resources; else it is a prompt.
    bool is_template;
    /// The prompt's name, or the template as it is listed.
    std::string name;

    /// The prompt with that name.
    static completion_target prompt(std::string name) { return {false, std::move(name)}; }
    /// A template: "notes://{date}".
    static completion_target resource(std::string uri_template) { return {true, std::move(uri_template)}; }
};

} // namespace partyline::mcp
