#pragma once

#include <cstddef>

namespace partyline::test {

inline constexpr std::size_t mebibyte = std::size_t(1) << 20;

/// What a program's own code takes besides where it is not optimised.
#ifdef NDEBUG
inline constexpr std::size_t unoptimised_code = 0;
#else
inline constexpr std::size_t unoptimised_code = 4 * mebibyte;
#endif

} // namespace partyline::test
