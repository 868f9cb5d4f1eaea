#pragma once

#include <partyline/protocol/writer.hpp>

#include <optional>
#include <stdexcept>

namespace partyline {

/// Throws `std::invalid_argument`, which names the place, where there is a problem.
inline void throw_unwritable(const std::optional<unwritable>& problem)
{
    if (problem)
        throw std::invalid_argument("cannot be sent: " + problem->reason + " at \"" + problem->where + '"');
}

} // namespace partyline
