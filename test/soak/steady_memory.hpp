#pragma once

#include <cstddef>

namespace partyline::test {

/// Whether the memory of a program has grown by no more than `margin` since it was measured early on; prints all three.
/// Sanitizers keep what is freed, so there it always has.
bool is_steady(std::size_t early, std::size_t late, std::size_t margin);

} // namespace partyline::test
