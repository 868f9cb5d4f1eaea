#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/description.hpp>
#include <partyline/mcp/revision.hpp>

#include <boost/json/object.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace partyline::mcp {

// A server's description of itself and of its features, as a client sees it. None of it can be trusted.

/// The identity and the capabilities of a server.
struct server_info {
    /// The revision that both sides have agreed on.
    mcp::revision revision = newest_legacy;
    /// The name and the version of the server.
    implementation info;
    /// The capabilities of the server, as they came.
    boost::json::object capabilities;
    /// Instructions to a model for the use of the server.
    std::string instructions;
    boost::json::object raw; ///< the result of `server/discover` or `initialize`
};

/// The effects of a tool, as the server describes them. Without a description the worst is assumed.
struct tool_hints {
    /// Whether the tool changes nothing.
    bool read_only = false;
    /// Whether the tool may undo or remove existing data.
    bool destructive = true;
    /// Whether a repeated call changes nothing more.
    bool idempotent = false;
    /// Whether the tool may deal with more than the server has.
    bool open_world = true;
};

/// The members that all listed features have.
struct listed_names {
    /// The name, by which tools, prompts and the arguments of prompts are identified.
    std::string name;
    /// The title that people are shown in place of the name; empty where the server does not say.
    std::string title;
    /// The description, for a model; empty where the server does not say.
    std::string description;
};

/// A tool that a server offers.
struct PARTYLINE_EXPORT tool_info : listed_names {
    /// The JSON Schema of its arguments, as it came.
    boost::json::object input_schema;
    /// The JSON Schema of its structured result, if the server tells one.
    std::optional<boost::json::value> output_schema;
    /// The effects of the tool.
    tool_hints hints;
    /// The whole entry in the list.
    boost::json::object raw;
};

/// A resource that a server has.
struct PARTYLINE_EXPORT resource_info : listed_names {
    /// The URI to read the resource by.
    std::string uri;
    /// The media type; empty where the server does not say.
    std::string mime_type;
    std::optional<std::uint64_t> size; ///< in bytes
    /// The whole entry in the list.
    boost::json::object raw;
};

/// Resources whose URIs are made alike.
struct PARTYLINE_EXPORT resource_template_info : listed_names {
    /// The template (RFC 6570): "notes://{date}".
    std::string uri_template;
    /// The media type of all these resources; empty where the server does not say.
    std::string mime_type;
    /// The whole entry in the list.
    boost::json::object raw;
};

/// An argument of a prompt, which is a text.
struct prompt_argument : listed_names {
    /// Whether the prompt requires the argument.
    bool required = false;
};

/// A prompt that a server offers.
struct PARTYLINE_EXPORT prompt_info : listed_names {
    /// The entries, in order.
    std::vector<prompt_argument> arguments;
    /// The whole entry in the list.
    boost::json::object raw;
};

/// The features that a server lists.
template <class T>
concept listed = std::same_as<T, tool_info> || std::same_as<T, resource_info> ||
                 std::same_as<T, resource_template_info> || std::same_as<T, prompt_info>;

/// A page of a list.
template <listed T>
struct PARTYLINE_EXPORT page {
    /// The entries, in order.
    std::vector<T> items;
    /// The cursor of the next page, which may be an empty text; nothing after the last page.
    std::optional<std::string> next_cursor;
};

} // namespace partyline::mcp
