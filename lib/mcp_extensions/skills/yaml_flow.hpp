#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <string_view>

namespace partyline::mcp::skills {

/// Nodes in each other, of any kind.
inline constexpr std::size_t max_yaml_depth = 32;

/// Reads all of a text, of one or several lines, as one node in flow style: a plain or quoted scalar, or `[...]` or
/// `{...}` of such. The first line has the number `line`. Throws `yaml_error`.
boost::json::value read_flow(std::string_view text, std::size_t line, std::size_t depth);

/// Where the quoted text ends that the text begins with: behind its last quote. `npos`: it does not end there.
std::size_t find_quote_end(std::string_view text) noexcept;

} // namespace partyline::mcp::skills
