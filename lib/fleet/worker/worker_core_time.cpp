// What a worker does as time passes, and how it asks for items.

#include "fleet/worker/worker_core.hpp"

#include <algorithm>
#include <utility>

namespace partyline::fleet {

void worker_core::on_connected(moment now)
{
    is_connected_ = true;
    pulls_.end_all();
    pull_after_.reset();
    pull(now);
}

void worker_core::drain(moment now)
{
    if (!is_draining_) {
        effects_.emplace_back(pulls_ended());
        is_draining_ = true;
        pulls_.end_all();
        pull_after_.reset();
    }
    pull(now); // which tells that nothing is left
}

std::size_t worker_core::free_slots() const noexcept
{
    const std::size_t unconfirmed = held_.size() - running_;
    if (unconfirmed_bytes_ >= limits_.max_unconfirmed_bytes || unconfirmed >= limits_.max_unconfirmed)
        return 0;
    return limits_.slots - std::min(running_, limits_.slots);
}

// The server serves the oldest pull to its end: one that asks for much would have each opening come back here, where
// there is no room for it, and not to others.
std::size_t worker_core::wanted() const noexcept
{
    return sessions_.size() < limits_.max_sessions ? free_slots() : std::min<std::size_t>(free_slots(), 1);
}

// After everything that may have freed a slot.
void worker_core::pull(moment now)
{
    if (is_draining_) {
        if (held_.empty() && sessions_.empty() && !is_drained_) {
            effects_.emplace_back(worker_drained());
            is_drained_ = true;
        }
        return;
    }
    const std::size_t free = wanted();
    if (!is_connected_ || pull_after_ || free <= pulls_.asked())
        return;
    if (!is_ready()) {
        pull_after_ = now.steady + limits_.pull_pause;
        return;
    }
    const std::size_t count = free - pulls_.asked();
    // The server's time begins later than ours.
    const std::uint64_t number = pulls_.open(count, now.steady + limits_.pull_time + std::chrono::seconds(1));
    publication request = make_publication(pull_subject(service_), pull_request(count, limits_.pull_time));
    request.reply_to = worker_subject(worker_, worker_use::pull, number);
    effects_.emplace_back(std::move(request));
    ++totals_.pulls;
}

void worker_core::on_pulled(const bus_message& message, moment now)
{
    if (!is_ack_subject(message.reply_to))
        return note_refused("an item that no consumer has delivered");
    pulls_.on_item();
    on_item(message, now);
    pull(now);
}

// 408: nothing has come in its time, so the next one is due. Others: not now. What is said of a pull that is over, such
// as one of an earlier connection, says nothing of the present ones.
void worker_core::on_pull_status(std::uint64_t number, int status, moment now)
{
    constexpr int heartbeat = 100;
    constexpr int timed_out = 408;
    if (status == 0)
        return note_refused("an item that no consumer has delivered");
    if (status == heartbeat)
        return;
    if (!pulls_.on_status(number))
        return;
    if (status != timed_out)
        pull_after_ = now.steady + limits_.pull_pause;
    if (status == no_responders)
        miss_queue(now);
    pull(now);
}

// A pull for which there is no consumer gets no answer (nats-server 2.9), or 503 (2.12). So does one at a slow server,
// and one at a cluster without a leader: hence the pause. The next pull waits until the queue is there.
void worker_core::miss_queue(moment now)
{
    if (missed_at_ && now.steady - *missed_at_ < limits_.miss_pause)
        return;
    effects_.emplace_back(queue_missed());
    missed_at_ = now.steady;
    pull_after_ = now.steady + limits_.pull_pause;
}

void worker_core::schedule(held it)
{
    held_item& one = it->second;
    due_.change(one.due, std::min(one.progress_at, one.again_at), it->first);
}

std::optional<std::chrono::steady_clock::time_point> worker_core::next_due() const
{
    std::optional<time_point> next = due_.next();
    for (const std::optional<time_point>& other : {pulls_.next_end(), pull_after_}) {
        if (other && (!next || *other < *next))
            next = other;
    }
    return next;
}

void worker_core::on_time(moment now)
{
    while (const auto run = due_.due_at(now.steady))
        on_due(held_.find(*run), now);
    if (pulls_.end_until(now.steady))
        miss_queue(now);
    if (pull_after_ && *pull_after_ <= now.steady)
        pull_after_.reset();
    pull(now);
}

void worker_core::on_due(held it, moment now)
{
    held_item& one = it->second;
    if (one.progress_at <= now.steady) {
        acknowledge(one.ack, ack_progress);
        one.progress_at = now.steady + limits_.progress_interval;
        schedule(it);
    }
    if (one.again_at > now.steady)
        return;
    if (one.has_run && one.is == state::running && now.steady < one.until)
        return end_without_memory(it, now);
    if (one.is == state::running || one.until + limits_.no_front_time <= now.steady)
        return on_past(it, now);
    if (one.is == state::claiming)
        return claim(it, now);
    acknowledge(one.ack, ack_progress);
    send_last(it, now);
}

// Its front has given up. What runs is cancelled; what has run, or waits for an answer of anybody, waits no longer.
void worker_core::on_past(held it, moment now)
{
    held_item& one = it->second;
    if (one.is != state::running || one.has_run || is_opening(one.call))
        return release(it, ack_term, now);
    if (!one.is_cancelled)
        effects_.emplace_back(run_cancelled{it->first});
    one.is_cancelled = true;
    one.again_at = time_point::max();
    schedule(it);
}

} // namespace partyline::fleet
