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

// What a server answers a client.

/// What a tool call has come to.
struct PARTYLINE_EXPORT tool_answer {
    /// Blocks of content as they came; each has a `type`.
    std::vector<boost::json::object> content;
    /// The result for programs, if there is one.
    std::optional<json_text> structured;
    /// The call has failed, and the text tells the model why.
    bool is_error = false;
    boost::json::object meta; ///< `_meta`

    /// The texts among its content, a line each.
    std::string text() const;

    /// The structured result as a `T`: whatever can be a parameter of a handler. What is no object a server puts into
    /// the member `result` of one; that is seen through. Without a structured result a `std::string` is the text.
    ///
    /// Throws `tool_error` with the text where the call has failed; `system_error` with `errc::not_convertible`, which
    /// tells what was expected and what came.
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

/// A part of what a resource has in it.
struct resource_part {
    /// Which it is; it may be another one than was asked for, such as one below it.
    std::string uri;
    /// Empty where the server does not say.
    std::string mime_type;
    /// The text, or the bytes.
    std::string data;
    /// Whether these are bytes, which came in Base64; else it is text.
    bool is_binary = false;
    /// `_meta`; empty without.
    boost::json::object meta;
};

/// What has been read of a resource.
struct PARTYLINE_EXPORT resource_answer {
    /// In the order in which they came.
    std::vector<resource_part> parts;
    /// The result as it came.
    boost::json::object raw;

    /// All of its texts, one after the other.
    std::string text() const;
};

/// A message of a prompt.
struct PARTYLINE_EXPORT prompt_part {
    /// Who says it.
    mcp::role role = mcp::role::user;
    /// A block of content as it came: it has a `type`.
    boost::json::object content;

    /// Its text; empty where it is something else.
    std::string text() const;
};

/// A prompt that has been filled in.
struct PARTYLINE_EXPORT prompt_answer {
    /// Empty where there is none.
    std::string description;
    /// In their order.
    std::vector<prompt_part> messages;
    /// The result as it came.
    boost::json::object raw;
};

/// What an argument may become.
struct PARTYLINE_EXPORT completion_answer {
    /// What it may become, the most likely first.
    std::vector<std::string> values;
    /// How many there are in all, where that is known.
    std::optional<std::uint64_t> total;
    /// Whether there are more of them than stand here.
    bool has_more = false;
};

/// What an argument that is completed belongs to: a prompt of that name, or a template.
struct completion_target {
    /// A template of resources, else a prompt.
    bool is_template;
    /// The prompt's name, or the template as it is listed.
    std::string name;

    /// Of the prompt with that name.
    static completion_target prompt(std::string name) { return {false, std::move(name)}; }
    /// Of a template: "notes://{date}".
    static completion_target resource(std::string uri_template) { return {true, std::move(uri_template)}; }
};

} // namespace partyline::mcp
