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

// What a server says of itself and of what it offers, as a client sees it. Nothing of it is to be trusted.

/// Who the server is, and what it can do.
struct server_info {
    /// The revision that both talk in.
    mcp::revision revision = newest_legacy;
    /// Who it is.
    implementation info;
    /// What it can do, as it came.
    boost::json::object capabilities;
    /// How a model is to use it.
    std::string instructions;
    boost::json::object raw; ///< what it has answered to `server/discover` or `initialize`
};

/// What a tool says it does. Where it says nothing, the worst is assumed.
struct tool_hints {
    /// It says that it changes nothing.
    bool read_only = false;
    /// It may undo or remove what is there.
    bool destructive = true;
    /// It says that to call it once more changes nothing more.
    bool idempotent = false;
    /// It may deal with more than the server has.
    bool open_world = true;
};

/// What everything has that is listed.
struct listed_names {
    /// What it is called; a tool, a prompt and its arguments are known by that.
    std::string name;
    /// What people are shown in place of the name; empty where the server does not say.
    std::string title;
    /// What it is, for a model; empty where the server does not say.
    std::string description;
};

/// A tool that a server offers.
struct PARTYLINE_EXPORT tool_info : listed_names {
    /// The JSON Schema of its arguments, as it came.
    boost::json::object input_schema;
    /// The JSON Schema of its structured result, if the server tells one.
    std::optional<boost::json::value> output_schema;
    /// What it says it does.
    tool_hints hints;
    /// All that the list has of it.
    boost::json::object raw;
};

/// A resource that a server has.
struct PARTYLINE_EXPORT resource_info : listed_names {
    /// What it is read by.
    std::string uri;
    /// Empty where the server does not say.
    std::string mime_type;
    std::optional<std::uint64_t> size; ///< in bytes
    /// All that the list has of it.
    boost::json::object raw;
};

/// Resources whose URIs are made alike.
struct PARTYLINE_EXPORT resource_template_info : listed_names {
    /// RFC 6570: "notes://{date}".
    std::string uri_template;
    /// That of all of them; empty where the server does not say.
    std::string mime_type;
    /// All that the list has of it.
    boost::json::object raw;
};

/// What a prompt has to be told. It is a text.
struct prompt_argument : listed_names {
    /// Whether the prompt can't be had without.
    bool required = false;
};

/// A prompt that a server offers.
struct PARTYLINE_EXPORT prompt_info : listed_names {
    /// In their order.
    std::vector<prompt_argument> arguments;
    /// All that the list has of it.
    boost::json::object raw;
};

/// What there are lists of.
template <class T>
concept listed = std::same_as<T, tool_info> || std::same_as<T, resource_info> ||
                 std::same_as<T, resource_template_info> || std::same_as<T, prompt_info>;

/// A page of a list.
template <listed T>
struct PARTYLINE_EXPORT page {
    /// In their order.
    std::vector<T> items;
    /// What to ask for the next one by; nothing after the last. It may be empty.
    std::optional<std::string> next_cursor;
};

} // namespace partyline::mcp
