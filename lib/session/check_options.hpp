#pragma once

#include <partyline/config.hpp>
#include <partyline/session/session_options.hpp>

#include <cstddef>
#include <limits>
#include <string_view>

namespace partyline {

// For constructors, whose user is told at once.

/// Throws `std::invalid_argument`, which names the option and says what is expected, where `value` is out of range.
PARTYLINE_EXPORT void check_range(std::string_view option, std::size_t value, std::size_t least,
                                  std::size_t most = std::numeric_limits<std::size_t>::max());

/// The same for what no session can work with: limits out of their ranges, no profile.
PARTYLINE_EXPORT void check_options(const session_options& given);

} // namespace partyline
