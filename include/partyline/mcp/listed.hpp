#pragma once

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
    mcp::revision revision = newest_legacy;
    implementation info;
    boost::json::object capabilities;
    /// How a model is to use it.
    std::string instructions;
    boost::json::object raw; ///< what it has answered to `server/discover` or `initialize`
};

/// What a tool says it does. Where it says nothing, the worst is assumed.
struct tool_hints {
    bool read_only = false;
    bool destructive = true;
    bool idempotent = false;
    bool open_world = true;
};

struct tool_info {
    std::string name;
    std::string title;
    std::string description;
    boost::json::object input_schema;
    std::optional<boost::json::value> output_schema;
    tool_hints hints;
    boost::json::object raw;
};

struct resource_info {
    std::string uri;
    std::string name;
    std::string title;
    std::string description;
    std::string mime_type;
    std::optional<std::uint64_t> size; ///< in bytes
    boost::json::object raw;
};

struct resource_template_info {
    std::string uri_template;
    std::string name;
    std::string title;
    std::string description;
    std::string mime_type;
    boost::json::object raw;
};

struct prompt_argument {
    std::string name;
    std::string title;
    std::string description;
    bool required = false;
};

struct prompt_info {
    std::string name;
    std::string title;
    std::string description;
    std::vector<prompt_argument> arguments;
    boost::json::object raw;
};

/// What there are lists of.
template <class T>
concept listed = std::same_as<T, tool_info> || std::same_as<T, resource_info> ||
                 std::same_as<T, resource_template_info> || std::same_as<T, prompt_info>;

/// A page of a list.
template <listed T>
struct page {
    std::vector<T> items;
    /// What to ask for the next one by; nothing after the last. It may be empty.
    std::optional<std::string> next_cursor;
};

} // namespace partyline::mcp
