#pragma once

#include <cstddef>

namespace gateway {
class attached_client;
}

namespace partyline::test {

/// Clients for tables that compare them, and do not look at them: four, by number.
inline const gateway::attached_client& compared_client(int number)
{
    static const std::max_align_t places[4] = {};
    return reinterpret_cast<const gateway::attached_client&>(places[number]);
}

} // namespace partyline::test
