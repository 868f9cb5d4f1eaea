#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace partyline::mcp {

/// The pauses between tries: each is twice as long as the one before it, up to a minute. Only the first may be longer.
class growing_pause {
public:
    using duration = std::chrono::steady_clock::duration;

    explicit growing_pause(duration first) : next_(first) {}

    duration next()
    {
        constexpr duration most = std::chrono::minutes(1);
        const duration longer = next_ < most / 2 ? std::max<duration>(next_ * 2, std::chrono::milliseconds(1)) : most;
        return std::exchange(next_, longer);
    }

private:
    duration next_;
};

} // namespace partyline::mcp
