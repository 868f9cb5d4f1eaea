// How a worker ends with an item: from the last message of its run to the acknowledgement.

#include "fleet/worker/worker_core.hpp"

#include <new>
#include <utility>

namespace partyline::fleet {

void worker_core::on_end(std::uint64_t run, std::string message, moment now)
{
    const held it = held_.find(run);
    if (it == held_.end() || it->second.is != state::running)
        return;
    try {
        end_run(it, std::move(message), now);
    } catch (const std::bad_alloc&) {
        end_without_memory(it, now);
    }
}

void worker_core::end_run(held it, std::string message, moment now)
{
    if (message.size() > limits_.max_message_bytes)
        return end(it, call_end::too_large, {}, now);
    if (it->second.is_cancelled && message.empty())
        return end(it, call_end::cancelled, {}, now);
    end(it, call_end::answered, std::move(message), now);
}

call_end worker_core::end_in_short(held it) const noexcept
{
    if (!is_opening(it->second.call))
        return call_end::too_large;
    return sessions_.has_run(it->first) ? call_end::opened : call_end::full;
}

// It was done, and nothing else will end it. What has ended is sent again when that is due.
void worker_core::end_without_memory(held it, moment now) noexcept
try {
    if (it->second.is == state::running)
        end(it, end_in_short(it), {}, now);
} catch (const std::bad_alloc&) {
    if (it->second.is != state::running)
        return;
    it->second.has_run = true;
    it->second.again_at = now.steady + limits_.confirm_again;
    schedule(it);
}

void worker_core::end(held it, call_end how, std::string message, moment now)
{
    held_item& one = it->second;
    reply last = next_reply(it);
    last.end = how;
    last.message = std::move(message);
    one.last = std::make_shared<const std::string>(write_reply(last));
    one.call.message = {};
    one.is = state::ended;
    running_ -= is_opening(one.call) ? 0 : 1;
    unconfirmed_bytes_ += one.last->size();
    send_last(it, now);
    pull(now);
}

void worker_core::send_last(held it, moment now)
{
    it->second.again_at = now.steady + limits_.confirm_again; // without memory it is sent then
    schedule(it);
    publication last;
    last.subject = reply_subject(it->second.id);
    last.reply_to = worker_subject(worker_, worker_use::confirmation, it->first);
    last.payload = it->second.last;
    effects_.emplace_back(std::move(last));
    if (!std::exchange(it->second.is_front_away, false)) // nothing was said, so it may be there
        it->second.no_front_since.reset();
}

void worker_core::on_confirmation(held it, const bus_message& message, moment now)
{
    held_item& one = it->second;
    if (one.is != state::ended)
        return;
    if (message.status == 0)
        return release(it, ack_done, now);
    if (message.status != no_responders)
        return;
    one.is_front_away = true;
    if (!one.no_front_since)
        one.no_front_since = now.steady;
    if (now.steady - *one.no_front_since >= limits_.no_front_time)
        release(it, ack_term, now);
}

void worker_core::release(held it, std::string_view acknowledgement, moment now)
{
    acknowledge(it->second.ack, acknowledgement);
    forget(it->first);
    pull(now);
}

void worker_core::forget(std::uint64_t run) noexcept
{
    const held it = held_.find(run);
    if (it == held_.end())
        return;
    const held_item& one = it->second;
    if (one.last)
        unconfirmed_bytes_ -= one.last->size();
    if (one.is != state::ended && !is_opening(one.call))
        --running_;
    else if (one.is != state::ended && !one.has_run) // a session that is open ends by itself
        sessions_.erase(run);
    due_.remove(one.due, run);
    runs_.erase(one.id);
    held_.erase(it);
}

} // namespace partyline::fleet
