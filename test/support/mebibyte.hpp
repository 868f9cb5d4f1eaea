#pragma once

#include <cstddef>

namespace partyline::test {

inline constexpr std::size_t mebibyte = std::size_t(1) << 20;

} // namespace partyline::test
