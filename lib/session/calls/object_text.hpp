#pragma once

#include <partyline/config.hpp>

#include <string>
#include <string_view>

namespace partyline {

/// Whether JSON text without white space in front is an object.
inline bool is_object(std::string_view text)
{
    return text.starts_with('{');
}

/// Appends the members of an object, each behind a comma, but those of one name.
PARTYLINE_EXPORT void append_members(std::string& out, const std::string& object, std::string_view unwanted);

/// The text of the member `name` of an object; empty without.
PARTYLINE_EXPORT std::string member_of(const std::string& object, std::string_view name);

/// The object with this member in place of those of its name, first of all. `object` may be empty: it has no members
/// then. `value` is JSON text.
std::string with_member(const std::string& object, std::string_view name, std::string_view value);

} // namespace partyline
