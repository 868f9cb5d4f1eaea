#include "fleet/worker/worker_core.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace partyline::fleet {

worker_core::worker_core(std::string worker, std::string service, idempotence is_idempotent, worker_limits limits)
    : worker_(std::move(worker)), service_(std::move(service)), queue_(queue_subject(service_)),
      is_idempotent_(std::move(is_idempotent)), limits_(limits)
{
}

std::vector<worker_effect> worker_core::take_effects()
{
    return std::exchange(effects_, {});
}

worker_totals worker_core::totals() const
{
    worker_totals now = totals_;
    now.running = running_;
    now.unconfirmed = held_.size() - running_;
    now.sessions = sessions_.size();
    return now;
}

void worker_core::note_refused(std::string_view why)
{
    ++totals_.refused;
    effects_.emplace_back(item_refused{why});
}

void worker_core::acknowledge(std::string_view subject, std::string_view what)
{
    effects_.emplace_back(make_publication(std::string(subject), std::string(what)));
}

void worker_core::refuse(const bus_message& message, std::string_view why)
{
    acknowledge(message.reply_to, ack_term);
    note_refused(why);
}

void worker_core::on_message(const bus_message& message, moment now)
{
    if (message.subject == queue_)
        return on_pulled(message, now);
    const auto at = read_worker_subject(message.subject, worker_);
    if (!at)
        return on_cancel(message);
    if (at->use == worker_use::pull)
        return on_pull_status(at->number, message.status, now);
    const held it = held_.find(at->number);
    if (it == held_.end())
        return;
    if (at->use == worker_use::claim)
        return on_claim(it, message, now);
    if (at->use == worker_use::confirmation)
        on_confirmation(it, message, now);
}

void worker_core::on_item(const bus_message& message, moment now)
{
    auto read = read_item(message.payload, limits_.max_message_bytes);
    if (!read)
        return refuse(message, read.refused);
    item& call = *read.value;
    std::string id = call.id.text();
    const auto known = runs_.find(id);
    if (known != runs_.end())
        return on_again(held_.find(known->second), message, now);
    if (call.until <= now.wall)
        return acknowledge(message.reply_to, ack_term);
    if (call.until > now.wall + limits_.max_ahead)
        return refuse(message, "a time until when that is too far ahead");
    if (is_draining_)
        return acknowledge(message.reply_to, ack_back({}));
    if (is_opening(call) && sessions_.has_id(id))
        return acknowledge(message.reply_to, ack_done); // its front has confirmed it
    if (has_no_room(call) || !is_ready())
        return give_back(std::move(call), std::move(id), message, now);
    hold(std::move(call), std::move(id), message, now);
}

bool worker_core::has_no_room(const item& call) const noexcept
{
    return is_opening(call) ? sessions_.size() >= limits_.max_sessions : free_slots() == 0;
}

// A call waits for a slot, which will be free before long. A session may last: whoever wants one is told in time.
void worker_core::give_back(item call, std::string id, const bus_message& message, moment now)
{
    if (!is_opening(call))
        return acknowledge(message.reply_to, ack_back(limits_.back_delay));
    if (!is_ready() || deliveries_of(message.reply_to) < limits_.max_offers)
        return acknowledge(message.reply_to, ack_back(limits_.back_delay_of_session));
    hold(std::move(call), std::move(id), message, now);
}

// The stream has heard nothing for too long: it comes once more, and its run here goes on.
void worker_core::on_again(held it, const bus_message& message, moment now)
{
    it->second.ack = message.reply_to;
    acknowledge(it->second.ack, ack_progress);
    it->second.progress_at = now.steady + limits_.progress_interval;
    schedule(it);
}

void worker_core::hold(item call, std::string id, const bus_message& message, moment now)
{
    held_item made;
    made.ack = message.reply_to;
    made.until = now.steady + (call.until - now.wall);
    made.progress_at = now.steady + limits_.progress_interval;
    made.again_at = time_point::max();
    made.due = made.progress_at;
    const std::uint64_t deliveries = deliveries_of(message.reply_to);
    made.is_first_delivery = deliveries == 1;
    made.call = std::move(call);
    made.id = std::move(id);
    const std::uint64_t run = ++last_run_;
    const held it = held_.emplace(run, std::move(made)).first;
    running_ += is_opening(it->second.call) ? 0 : 1;
    try {
        runs_.emplace(it->second.id, run);
        due_.add(it->second.due, run);
        begin(it, deliveries, now);
    } catch (const std::bad_alloc&) { // it comes again
        forget(run);
        throw;
    }
}

void worker_core::begin(held it, std::uint64_t deliveries, moment now)
{
    const item& call = it->second.call;
    if (cancels_.has(it->second.id))
        end(it, call_end::cancelled, {}, now);
    else if (deliveries > limits_.max_deliveries)
        end(it, call_end::lost, {}, now);
    else if (is_opening(call) && has_no_room(call))
        end(it, call_end::full, {}, now);
    else if (is_opening(call))
        open_session(it);
    else if (call.is_idempotent || (is_idempotent_ && is_idempotent_(call)))
        start(it, now);
    else
        claim(it, now);
}

// It is counted as there from now on.
void worker_core::open_session(held it)
{
    it->second.is = state::running;
    it->second.again_at = it->second.until;
    schedule(it);
    sessions_.insert(it->first, it->second.id);
    effects_.emplace_back(session_wanted{it->first, it->second.call});
}

void worker_core::on_opened(std::uint64_t run, bool is_open, moment now)
{
    const held it = held_.find(run);
    if (it == held_.end() || it->second.is != state::running)
        return;
    if (!is_open)
        sessions_.erase(run);
    try {
        end(it, is_open ? call_end::opened : call_end::full, {}, now);
    } catch (const std::bad_alloc&) {
        end_without_memory(it, now);
    }
}

void worker_core::on_session_end(std::uint64_t run, moment now)
{
    sessions_.erase(run);
    pull(now);
}

// The same message id each time: the bucket knows a claim of this run that it has heard of before.
void worker_core::claim(held it, moment now)
{
    it->second.again_at = now.steady + limits_.claim_again; // without memory it is claimed then
    schedule(it);
    const std::string run = call_id{worker_, it->first}.text();
    publication create = make_publication(claim_subject(it->second.id), run);
    create.reply_to = worker_subject(worker_, worker_use::claim, it->first);
    create.message_id = run;
    create.is_create = true;
    effects_.emplace_back(std::move(create));
}

void worker_core::on_claim(held it, const bus_message& message, moment now)
{
    if (it->second.is != state::claiming)
        return;
    switch (read_stream_answer(message).is) {
    case stream_answer::kind::stored:
    case stream_answer::kind::duplicate: return start(it, now);
    case stream_answer::kind::exists: return on_claimed_before(it, now);
    default: return; // it is claimed once more when that is due
    }
}

// A consumer whose leader has changed may deliver once more, as if for the first time, what another worker has begun
// just now. That worker keeps the item from coming again; once it comes nevertheless it is dead.
void worker_core::on_claimed_before(held it, moment now)
{
    ++totals_.claims_lost;
    if (it->second.is_first_delivery)
        return release(it, ack_back(limits_.claimed_delay), now);
    end(it, call_end::lost, {}, now);
}

void worker_core::start(held it, moment now)
{
    if (it->second.is_cancelled)
        return end(it, call_end::cancelled, {}, now);
    if (it->second.until <= now.steady)
        return release(it, ack_term, now);
    it->second.is = state::running; // only what ends by itself
    it->second.again_at = it->second.until;
    schedule(it);
    std::string message = std::exchange(it->second.call.message, {});
    try {
        effects_.emplace_back(run_started{it->first, it->second.call});
    } catch (const std::bad_alloc&) { // it is claimed, and then started, once more
        it->second.call.message = std::move(message);
        it->second.is = state::claiming;
        it->second.again_at = now.steady + limits_.claim_again;
        return schedule(it);
    }
    std::get<run_started>(effects_.back()).call.message = std::move(message);
    ++totals_.begun;
}

reply worker_core::next_reply(held it)
{
    reply one;
    one.id = it->second.call.id;
    one.run = call_id{worker_, it->first}.text();
    one.number = ++it->second.sent;
    return one;
}

void worker_core::on_output(std::uint64_t run, std::string message)
{
    const held it = held_.find(run);
    if (it == held_.end() || it->second.is != state::running || message.empty() ||
        message.size() > limits_.max_message_bytes)
        return;
    reply one = next_reply(it);
    one.message = std::move(message);
    effects_.emplace_back(make_publication(reply_subject(it->second.id), write_reply(one)));
}

void worker_core::on_cancel(const bus_message& message)
{
    if (message.status != 0 || message.subject != cancel_subject(service_))
        return;
    const auto read = read_cancel(message.payload);
    if (!read)
        return note_refused(read.refused);
    const std::string id = read.value->text();
    const auto known = runs_.find(id);
    if (known == runs_.end())
        return cancels_.add(id);
    held_item& one = held_.find(known->second)->second;
    if (!one.is_cancelled && one.is == state::running)
        effects_.emplace_back(run_cancelled{known->second});
    one.is_cancelled = true;
}

} // namespace partyline::fleet
