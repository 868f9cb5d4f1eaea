#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace command_line {

// The text of the file in which the tokens of logins are kept: a JSON object of texts by names. Those that were put
// there last are at its end.

inline constexpr std::size_t longest_entries = 1 << 20;
inline constexpr const char* no_entries = "{}";

/// The text of an entry; empty without one. Throws `std::invalid_argument`, in words for the user, where the whole is
/// not what `changed_entries` writes.
std::string entry_of(const std::string& whole, const std::string& name);

/// The whole with these texts in place of those that it has under their names; an empty one removes its entry. Where it
/// would be longer than `longest_entries`, the entries that were put there longest ago are left out. Throws
/// `std::invalid_argument` as `entry_of`, and where these texts alone are too long.
std::string changed_entries(const std::string& whole, const std::map<std::string, std::string>& texts);

} // namespace command_line
