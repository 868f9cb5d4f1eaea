#pragma once

#include "mcp/schema/pattern/code_point_set.hpp"
#include "mcp/schema/pattern/pattern_cursor.hpp"

namespace partyline::mcp::detail {

/// What stands behind a backslash, which has been taken. Throws `std::invalid_argument` where it is nothing that can be
/// matched in linear time, or nothing that is known.
code_point_set read_escape(pattern_cursor& from);

/// The rest of a class in brackets, of which the first bracket has been taken.
code_point_set read_class(pattern_cursor& from);

} // namespace partyline::mcp::detail
