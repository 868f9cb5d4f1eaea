// What one side of a session does as time passes.

#include "fleet/channel/channel_core.hpp"

#include <algorithm>

namespace partyline::fleet {

channel_core::time_point channel_core::idle_until() const noexcept
{
    return heard_at_ + (is_blocked() ? limits_.blocked_idle : limits_.idle);
}

std::optional<channel_core::time_point> channel_core::next_due() const noexcept
{
    if (is_settled())
        return answer_at_;
    const time_point due = is_waiting() ? again_at_ : idle_until();
    return std::min(answer_at_.value_or(due), due);
}

void channel_core::on_time(time_point now)
{
    if (answer_at_ && *answer_at_ <= now)
        send(kind::answer);
    if (is_settled())
        return;
    if (!is_waiting() && idle_until() <= now)
        ping(now);
    else if (is_waiting() && again_at_ <= now)
        repeat(now);
}

void channel_core::ping(time_point now)
{
    is_pinging_ = true;
    again_at_ = now + limits_.retry_interval;
    send(kind::ping);
}

// Counted, not measured: a program that has stood still hears what has come meanwhile before it judges.
void channel_core::repeat(time_point now)
{
    if (repeats_ == limits_.max_retries) {
        is_broken_ = true;
        return release();
    }
    ++repeats_;
    again_at_ = now + std::min(limits_.retry_interval * (1 << repeats_), limits_.max_retry_interval);
    repeat_first();
}

void channel_core::repeat_first()
{
    if (peer_has_ == last_)
        return send(kind::ping);
    is_repeating_ = true;
    next_ = peer_has_ + 2;
    send_piece(peer_has_ + 1);
}

void channel_core::on_connected(time_point now)
{
    if (is_settled())
        return;
    if (is_waiting()) {
        repeats_ -= repeats_ == 0 ? 0 : 1; // an answer to this may come
        again_at_ = now + limits_.retry_interval;
        repeat_first();
    } else if (is_blocked()) {
        ping(now);
    }
}

} // namespace partyline::fleet
