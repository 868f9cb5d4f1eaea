#pragma once

#include <cstdint>

namespace partyline {

/// A number that no peer can know.
std::uint64_t random_seed();

} // namespace partyline
