#pragma once

#include <cstddef>

namespace bench {

/// How many tools the server lists, `echo` among them, and how long their list is, about.
inline constexpr std::size_t tool_count = 200;
inline constexpr std::size_t tool_list_bytes = 90000;

} // namespace bench
