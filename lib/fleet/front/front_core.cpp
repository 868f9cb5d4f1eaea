#include "fleet/front/front_core.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace partyline::fleet {
namespace {

front_outcome outcome_of(call_end how)
{
    switch (how) {
    case call_end::lost: return front_outcome::lost;
    case call_end::cancelled: return front_outcome::deadline; // one that was cancelled here is not open any more
    case call_end::too_large: return front_outcome::bad_reply;
    case call_end::opened: return front_outcome::opened;
    case call_end::full: return front_outcome::no_room;
    default: return front_outcome::answered;
    }
}

// A call is answered, and a session is opened.
bool is_possible(front_outcome outcome, bool is_opening)
{
    const bool is_of_opening = outcome == front_outcome::opened || outcome == front_outcome::no_room;
    return is_opening ? outcome != front_outcome::answered : !is_of_opening;
}

} // namespace

front_core::front_core(std::string front, std::string service, front_limits limits)
    : front_(std::move(front)), service_(std::move(service)), limits_(limits)
{
}

std::vector<front_effect> front_core::take_effects()
{
    return std::exchange(effects_, {});
}

std::uint64_t front_core::enter(new_call call, moment now)
{
    const std::uint64_t number = ++last_number_;
    item one;
    one.id = id_of(number);
    const std::chrono::milliseconds longest = limits_.max_deadline;
    one.until = now.wall + std::clamp(call.deadline.value_or(longest), std::chrono::milliseconds(1), longest);
    one.is_idempotent = call.is_idempotent;
    one.peer = std::move(call.peer);
    one.traceparent = std::move(call.traceparent);
    one.session = call.session;
    one.message = std::move(call.message);
    const auto refused = refusal_of(one, call.client);
    if (refused)
        refuse(number, *refused);
    else
        open(number, std::move(one), std::move(call), now);
    return number;
}

std::optional<front_outcome> front_core::refusal_of(const item& one, const std::string& client) const
{
    if (one.message.size() > limits_.max_message_bytes)
        return front_outcome::too_large;
    if (!problem_of(one, limits_.max_message_bytes).empty())
        return front_outcome::invalid;
    if (calls_.size() >= limits_.max_calls || kept_bytes_ + one.message.size() > limits_.max_bytes)
        return front_outcome::full;
    if (one.session != session_kind::none) {
        const bool has_room = clients_of_sessions_.count(client) < limits_.max_sessions_per_client;
        return has_room ? std::nullopt : std::optional(front_outcome::no_room);
    }
    if (clients_.count(client) >= limits_.max_calls_per_client)
        return front_outcome::client_full;
    return std::nullopt;
}

front_totals front_core::totals() const
{
    front_totals now = totals_;
    now.open_calls = calls_.size();
    return now;
}

void front_core::refuse(std::uint64_t number, front_outcome outcome)
{
    call_settled how;
    how.number = number;
    how.outcome = outcome;
    effects_.emplace_back(std::move(how));
    count(outcome);
}

void front_core::open(std::uint64_t number, item one, new_call call, moment now)
{
    open_call made;
    made.has_proof = !call.proof_id.empty();
    made.is_opening = one.session != session_kind::none;
    made.message_id = made.has_proof ? std::move(call.proof_id) : one.id.text();
    made.client = std::move(call.client);
    made.deadline = now.steady + (one.until - now.wall);
    made.publish_until = std::min(made.deadline, now.steady + limits_.publish_time);
    made.due = made.deadline;
    made.payload = std::make_shared<const std::string>(write_item(one));
    const auto entered = calls_.emplace(number, std::move(made)).first;
    const open_call& open = entered->second;
    bool is_counted = false;
    try {
        due_.add(open.due, number);
        clients_of(open).add(open.client);
        is_counted = true;
        publish(entered, now);
    } catch (const std::bad_alloc&) {
        if (is_counted)
            clients_of(open).remove(open.client);
        due_.remove(open.due, number);
        calls_.erase(entered);
        throw;
    }
    kept_bytes_ += open.payload->size();
}

void front_core::publish(calls::iterator call, moment now)
{
    auto& [number, open] = *call;
    publication item_again;
    item_again.subject = queue_subject(service_);
    item_again.reply_to = attempt_subject(id_of(number), open.attempts + 1);
    item_again.payload = open.payload;
    item_again.message_id = open.message_id;
    effects_.emplace_back(std::move(item_again));
    ++(open.attempts == 0 ? totals_.published : totals_.published_again);
    ++open.attempts;
    due_.change(open.due, std::min(now.steady + pause_after(open.attempts), open.publish_until), number);
}

std::chrono::milliseconds front_core::pause_after(std::uint64_t attempts) const
{
    const std::uint64_t doublings = std::min<std::uint64_t>(attempts - 1, 16);
    return std::min(limits_.publish_again * (std::int64_t(1) << doublings), limits_.publish_pause);
}

void front_core::accept(calls::iterator call)
{
    auto& [number, open] = *call;
    if (!open.payload)
        return;
    kept_bytes_ -= open.payload->size();
    open.payload.reset();
    due_.change(open.due, open.deadline, number);
    effects_.emplace_back(call_accepted{number});
}

open_by_client& front_core::clients_of(const open_call& open) noexcept
{
    return open.is_opening ? clients_of_sessions_ : clients_;
}

// What needs memory comes first: without it the call is open as before, and ends when it is due.
void front_core::settle(calls::iterator call, call_settled how)
{
    auto& [number, open] = *call;
    how.number = number;
    const bool is_opened = how.outcome == front_outcome::opened;
    if (is_opened)
        sessions_.emplace(number, open.client);
    try {
        effects_.emplace_back(std::move(how));
    } catch (const std::bad_alloc&) {
        if (is_opened)
            sessions_.erase(number);
        throw;
    }
    count_settled(open, std::get<call_settled>(effects_.back()));
    if (!is_opened)
        clients_of(open).remove(open.client);
    if (open.payload)
        kept_bytes_ -= open.payload->size();
    due_.remove(open.due, number);
    calls_.erase(call);
}

void front_core::settle(calls::iterator call, front_outcome outcome)
{
    const open_call& open = call->second;
    call_settled how;
    how.outcome = outcome;
    how.may_have_run = !open.payload || open.refused_attempts < open.attempts;
    settle(call, std::move(how));
}

void front_core::count_settled(const open_call& open, const call_settled& how)
{
    if (open.is_opening)
        count(outcome_of_opening(how.outcome));
    else
        count(how.outcome, how.may_have_run);
}

void front_core::end_session(std::uint64_t number)
{
    const auto known = sessions_.extract(number);
    if (!known.empty())
        clients_of_sessions_.remove(known.mapped());
}

void front_core::send_cancel(std::uint64_t number)
{
    effects_.emplace_back(make_publication(cancel_subject(service_), write_cancel(id_of(number))));
}

void front_core::cancel(std::uint64_t number)
{
    const auto call = calls_.find(number);
    if (call == calls_.end())
        return end_session(number);
    send_cancel(number);
    settle(call, front_outcome::cancelled);
}

void front_core::close()
{
    while (!calls_.empty()) {
        send_cancel(calls_.begin()->first);
        settle(calls_.begin(), front_outcome::closed);
    }
}

void front_core::on_message(const bus_message& message, moment now)
{
    const auto at = read_front_subject(message.subject, front_);
    if (!at) {
        ++totals_.dropped;
        return;
    }
    if (at->attempt == 0)
        return on_reply(at->number, message);
    const auto call = calls_.find(at->number);
    if (call != calls_.end() && call->second.payload)
        on_stream_answer(call, at->attempt, message, now);
}

void front_core::on_unsent(const publication& one)
{
    const auto at = read_front_subject(one.reply_to, front_);
    const auto call = at ? calls_.find(at->number) : calls_.end();
    if (call != calls_.end() && call->second.payload)
        note_refused(call, at->attempt);
}

void front_core::on_stream_answer(calls::iterator call, std::uint64_t attempt, const bus_message& message, moment now)
{
    using kind = stream_answer::kind;
    const stream_answer answer = read_stream_answer(message);
    switch (answer.is) {
    case kind::stored: return accept(call);
    case kind::duplicate: return on_stored_before(call, attempt);
    case kind::full: note_refused(call, attempt); return settle(call, front_outcome::full);
    case kind::too_large: note_refused(call, attempt); return settle(call, front_outcome::too_large);
    case kind::no_stream: note_refused(call, attempt); return on_not_ready(call, answer.is, now);
    case kind::exists:
    case kind::not_ready: return on_not_ready(call, answer.is, now);
    case kind::not_understood: ++totals_.dropped; return;
    }
}

// Each attempt once, whatever is said of it.
void front_core::note_refused(calls::iterator call, std::uint64_t attempt)
{
    open_call& open = call->second;
    if (attempt <= open.last_refused_attempt)
        return;
    open.last_refused_attempt = attempt;
    ++open.refused_attempts;
}

// What the first attempt of a call with a proof finds in the stream is another call with that proof.
void front_core::on_stored_before(calls::iterator call, std::uint64_t attempt)
{
    if (attempt != 1 || !call->second.has_proof)
        return accept(call);
    call->second.refused_attempts = call->second.attempts;
    settle(call, front_outcome::replayed);
}

// It is published again when that is due.
void front_core::on_not_ready(calls::iterator call, stream_answer::kind why, moment now)
{
    open_call& open = call->second;
    if (why != stream_answer::kind::no_stream) {
        open.no_stream_since.reset();
        return;
    }
    if (!open.no_stream_since)
        open.no_stream_since = now.steady;
    if (now.steady - *open.no_stream_since >= limits_.no_stream_time)
        settle(call, front_outcome::no_stream);
}

void front_core::on_reply(std::uint64_t number, const bus_message& message)
{
    auto read = read_reply(message.payload, limits_.max_message_bytes);
    if (message.status != 0 || !read || read.value->id != id_of(number)) {
        ++totals_.dropped;
        return;
    }
    const auto call = calls_.find(number);
    if (read.value->end == call_end::none) {
        if (call == calls_.end() || !call->second.run.takes(read.value->run, read.value->number))
            return;
        accept(call); // the stream's answer was lost
        effects_.emplace_back(call_message{number, std::move(read.value->message)});
        return;
    }
    if (call != calls_.end())
        on_last(call, std::move(*read.value));
    else if (read.value->end == call_end::opened)
        effects_.emplace_back(session_answered{number, std::move(read.value->run)});
    confirm(message); // of a call that has ended as well, so that its worker ends, too
}

void front_core::on_last(calls::iterator call, reply last)
{
    accept(call);
    call_settled how;
    how.outcome = outcome_of(last.end);
    if (!is_possible(how.outcome, call->second.is_opening))
        how.outcome = front_outcome::lost; // what it has done instead is not known
    how.may_have_run = how.outcome == front_outcome::lost || how.outcome == front_outcome::bad_reply;
    how.message = std::move(last.message);
    if (how.outcome == front_outcome::opened)
        how.run = std::move(last.run);
    settle(call, std::move(how));
}

void front_core::confirm(const bus_message& message)
{
    if (is_confirmation_subject(message.reply_to))
        effects_.emplace_back(make_publication(std::string(message.reply_to), {}));
}

void front_core::on_time(moment now)
{
    while (const auto number = due_.due_at(now.steady))
        on_due(calls_.find(*number), now);
}

void front_core::on_due(calls::iterator call, moment now)
{
    const open_call& open = call->second;
    const bool is_late = now.steady >= open.deadline;
    if (!is_late && open.payload && now.steady < open.publish_until)
        return publish(call, now);
    send_cancel(call->first);
    settle(call, is_late ? front_outcome::deadline : front_outcome::unreachable);
}

} // namespace partyline::fleet
