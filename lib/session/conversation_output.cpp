#include "session/conversation.hpp"

#include "session/requests/error_replies.hpp"

#include <boost/system/system_error.hpp>

#include <type_traits>
#include <utility>

namespace partyline {

// The one exit of a request. (A second result of one that has had its answer is not looked at.)
template <class Result>
void conversation::settle(served_request& done, const Result& result) noexcept
{
    if (done.stage != incoming_request::state::running)
        return;
    try {
        conclude(done, result);
    } catch (...) {
        if (done.stage == incoming_request::state::running)
            leave(done);
        fail(std::current_exception());
        guarded([this] { request_round(); }); // it may have been the last
    }
}

// The id is free before the answer is written, since the peer may use it again then.
template <class Result>
inline void conversation::conclude(served_request& done, const Result& result)
{
    bool is_good = false;
    if (must_keep_reply(done)) [[unlikely]] {
        is_good = keep_reply(done, result);
    } else {
        if (done.has_unsent()) [[unlikely]]
            tell_all(done);
        const start_rule rule = done.rule;
        leave(done);
        queue_.on_end(rule);
        if (has_ended_)
            counts_.dropped.add();
        else if (!done.is_notification())
            is_good = answer(done, result);
        if (const std::shared_ptr<batch_reply> batch = std::move(done.batch); batch && !has_ended_)
            writer_.drop_hold(*batch);
    }
    if (lifecycle_) [[unlikely]]
        note_answered(done, !is_good);
    request_round();
}

// True when the peer gets a result. One that there is no memory to write becomes an error, which takes little.
template <class Result>
inline bool conversation::answer(const incoming_request& to, const Result& result)
{
    if constexpr (std::is_same_v<Result, error_object>) {
        writer_.error(to, result);
        return false;
    } else {
        try {
            return writer_.result(to, result);
        } catch (const std::exception& e) {
            log(std::string("could not write a result: ") + e.what());
            writer_.error(to, plain_internal_error());
            return false;
        }
    }
}

template void conversation::settle(served_request&, const boost::json::value&);
template void conversation::settle(served_request&, const json_view&);
template void conversation::settle(served_request&, const json_text&);
template void conversation::settle(served_request&, const error_object&);

// A batch's results are not: they count with the outbox already. Nor is anything once all is to come to an end.
bool conversation::must_keep_reply(const served_request& done)
{
    return outbox_.is_full() && !done.batch && !is_stopped_ && !has_ended_;
}

// It stays in flight, and keeps its slot, until there is room for the reply.
template <class Result>
bool conversation::keep_reply(served_request& done, const Result& result)
{
    std::list<reply_without_room> fresh(1);
    reply_without_room& kept = fresh.front();
    kept.rule = done.rule;
    kept.callee = done.callee;
    kept.arrival = done.arrival;
    kept.id = done.incoming_request::id;
    for (notification_text next; done.take_unsent(next);)
        kept.unsent.push_back(std::move(next));
    const bool is_good = !kept.is_notification() && answer(kept, result);
    leave(done);
    if (!kept.is_notification())
        in_flight_.insert(kept);
    counts_.in_flight.add(1);
    outbox_.keep(kept.text.size());
    kept_.splice(kept_.end(), fresh); // as a whole, or not at all
    return is_good;
}

void conversation::tell_kept()
{
    std::list<reply_without_room> taken;
    taken.splice(taken.end(), kept_, kept_.begin());
    reply_without_room& first = taken.front();
    release(first);
    outbox_.drop_kept(first.text.size());
    counts_.in_flight.sub(1);
    queue_.on_end(first.rule);
    for (const notification_text& what : first.unsent)
        tell(what, first);
    if (!first.is_notification())
        writer_.forward(first);
}

void conversation::say(worker& from, std::string_view method, std::string_view params, bool is_replaceable)
{
    if (from.stage != incoming_request::state::running || has_ended_)
        return; // misuse: the request is no more
    if (!from.has_unsent() && !outbox_.is_above_soft()) [[likely]] {
        writer_.notification(method, json_view::checked(params), &from);
        return request_round();
    }
    notification_text next{std::string(method), std::string(params), is_replaceable};
    if (!is_replaceable && !from.unsent().takes(next, options_.bounds.message_bytes))
        throw boost::system::system_error(errc::overloaded);
    if (from.unsent().add(std::move(next)))
        counts_.coalesced_progress.add();
    note_unheard(from);
}

// Enters it among those that have something to say, where it does not stand there.
void conversation::note_unheard(served_request& from)
{
    request_extras& extras = from.more();
    if (!extras.unheard)
        extras.unheard = unheard_.insert(unheard_.end(), &from);
}

void conversation::hear(served_request& from) noexcept
{
    if (from.stage != incoming_request::state::running || has_ended_ || from.extras()->unheard)
        return;
    guarded([&] {
        note_unheard(from);
        hand_over();
        request_round();
    });
}

void conversation::tell(const notification_text& what, const incoming_request& about)
{
    writer_.notification(what.method, json_view::checked(what.params), &about);
}

// What a handler that has ended did not wait for goes before its reply.
void conversation::tell_all(served_request& from)
{
    notification_text next;
    while (!has_ended_ && from.take_unsent(next))
        tell(next, from);
}

// Sends what there is; true when something has room that had none before.
bool conversation::flush()
{
    const bool was_full = outbox_.is_full();
    const bool was_paused = must_pause();
    host_->flush();
    return !has_ended_ && (hand_over() || (was_full && !outbox_.is_full()) || (was_paused && !must_pause()));
}

// Lets those speak that had to wait, as far as there is room: replies first, since they free slots; then everybody who has
// more to say, in turn.
bool conversation::hand_over()
{
    bool is_done = false;
    for (; !kept_.empty() && !outbox_.is_full(); is_done = true)
        tell_kept();
    for (; !unheard_.empty() && !outbox_.is_above_soft(); is_done = true) {
        served_request& next = *unheard_.front();
        unheard_.pop_front();
        next.more().unheard.reset();
        notification_text what;
        if (!next.take_unsent(what))
            continue;
        tell(what, next);
        note_unheard(next);
        next.on_unsent_taken();
    }
    return calls_.send_waiting() || is_done;
}

// Where nothing is to be lost the reader pauses instead, and so it does when the peer, not reading, only asks. One that we
// call too may not read because we don't: two sessions that owe each other long replies must both read on.
bool conversation::may_refuse() const noexcept
{
    if (options_.on_overload == overload::pause)
        return false;
    const bool has_called = last_call_id_.load(std::memory_order_relaxed) != 0;
    return has_called ? !outbox_.is_at_cap() : !outbox_.is_full();
}

// The last resort: what has been read may be the only thing that can make room, so there must be something of it.
bool conversation::is_at_limit() const noexcept
{
    if (outbox_.is_at_cap())
        return true;
    if (may_refuse())
        return false;
    return (!queue_.empty() && queue_.shortage_for(1)) || outbox_.is_held_full();
}

} // namespace partyline
