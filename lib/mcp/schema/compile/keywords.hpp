#pragma once

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::mcp::detail {

class keyword_place;

/// The versions of JSON Schema that are known, as bits.
enum dialect : std::uint8_t { draft_07 = 1, draft_2020_12 = 2, both_dialects = 3 };

std::string_view name_of(dialect version) noexcept;

/// What `$schema` names; nothing for another.
std::optional<dialect> dialect_of(std::string_view uri) noexcept;

/// Which schemas a keyword has in its value.
enum class holding : std::uint8_t {
    nothing,
    schema,
    list,            // of schemas
    members,         // of an object, each a schema
    schema_or_list,  // draft-07: items
    schemas_or_names // draft-07: dependencies
};

struct keyword {
    std::string_view name;
    dialect dialects;
    holding holds;
    void (*read)(keyword_place& place, const boost::json::value& value);
};

/// Null when the dialect has no such keyword, and it is none of a user's own, which begin with `x-`.
const keyword* find_keyword(std::string_view name, dialect version) noexcept;

} // namespace partyline::mcp::detail
