#pragma once

#include <partyline/config.hpp>

#include <cstddef>

namespace partyline {

/// Writes `size` random bytes, 256 at most, from where the system has those for keys. Throws
/// `boost::system::system_error` where it has none.
PARTYLINE_EXPORT void fill_random(void* target, std::size_t size);

} // namespace partyline
