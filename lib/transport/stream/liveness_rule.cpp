#include "transport/stream/liveness_rule.hpp"

#include "session/due_time.hpp"

#include <utility>

namespace partyline {

liveness_rule::liveness_rule(clock::duration interval, clock::time_point now) noexcept
    : interval_(interval.count() == 0 ? clock::duration::max() : interval), next_(due_time(now, interval_))
{
}

liveness_rule::peer_condition liveness_rule::look(clock::time_point now, std::uint64_t bytes, bool listens) noexcept
{
    const bool has_come = std::exchange(bytes_, bytes) != bytes || !listens;
    next_ = due_time(now, interval_);
    if (!has_come && was_asked_)
        return peer_condition::gone;
    was_asked_ = !has_come;
    return was_asked_ ? peer_condition::ask : peer_condition::there;
}

} // namespace partyline
