#pragma once

#include <partyline/config.hpp>

#include <cstdint>

namespace partyline {

/// A number that no peer can know.
PARTYLINE_EXPORT std::uint64_t random_seed();

} // namespace partyline
