#include "transport/stream/silence_rule.hpp"

#include "session/due_time.hpp"

#include <algorithm>

namespace partyline {
namespace {

std::chrono::steady_clock::duration not_zero(std::chrono::steady_clock::duration time) noexcept
{
    return time.count() == 0 ? std::chrono::steady_clock::duration::max() : time;
}

} // namespace

silence_rule::silence_rule(clock::duration first_message, clock::duration idle, clock::time_point now) noexcept
    : idle_(not_zero(idle)), first_message_end_(due_time(now, not_zero(first_message))),
      next_idle_look_(due_time(now, interval())), last_activity_(now)
{
}

silence_rule::clock::time_point silence_rule::next_look() const noexcept
{
    return std::min(first_message_end_, next_idle_look_);
}

error_code silence_rule::look(clock::time_point now, const sight& seen) noexcept
{
    if (now >= first_message_end_) {
        if (seen.messages_in == 0)
            return errc::no_message;
        first_message_end_ = clock::time_point::max();
    }
    if (seen.is_busy || seen.bytes != bytes_)
        last_activity_ = now;
    bytes_ = seen.bytes;
    if (idle_ == clock::duration::max())
        return {};
    if (now - last_activity_ >= idle_)
        return errc::idle;
    next_idle_look_ = std::min(due_time(last_activity_, idle_), due_time(now, interval()));
    return {};
}

// Activity is known to the look that has seen it, so looks are closer together than the time itself.
silence_rule::clock::duration silence_rule::interval() const noexcept
{
    return idle_ == clock::duration::max() ? idle_ : std::max(idle_ / 4, clock::duration(1));
}

} // namespace partyline
