#include "protocol/message/id_reader.hpp"
#include "session/conversation.hpp"
#include "session/due_time.hpp"
#include "session/requests/error_replies.hpp"

#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace partyline {
namespace {

// The log line for the error of a notification's handler, as no reply has it.
std::string refusal_text(const error_object& error)
{
    std::string text = "refused a notification: " + error.message;
    if (error.data)
        text += ' ' + boost::json::serialize(*error.data);
    return text;
}

} // namespace

void conversation::finish(served_request& done, const boost::json::value& result) noexcept
{
    settle(done, result);
}
void conversation::finish(served_request& done, json_view result) noexcept
{
    settle(done, result);
}
void conversation::finish(served_request& done, const json_text& result) noexcept
{
    settle(done, result);
}
void conversation::finish(served_request& done, const error_object& error) noexcept
{
    settle(done, error);
}

// The one exit of a request whose handler has started. (A second result is ignored.)
template <class Result>
inline void conversation::settle(served_request& done, const Result& result) noexcept
{
    if (done.stage != incoming_request::state::running)
        return;
    try {
        conclude(done, result);
    } catch (...) {
        if (done.stage == incoming_request::state::running)
            leave(done);
        done.record.lose();
        fail(std::current_exception());
        guarded([this] { request_turn(); }); // it may have been the last
    }
}

// The id is free before the answer is written, since the peer may use it again then.
template <class Result>
inline void conversation::conclude(served_request& done, const Result& result)
{
    if (done.is_silenced) [[unlikely]]
        return conclude_silently(done);
    constexpr bool is_result = !std::is_same_v<Result, error_object>;
    reply_error told;
    if (must_keep_reply(done)) [[unlikely]] {
        told = keep_reply(done, result);
        done.is_answered = is_result && !told && !done.is_notification() && !done.via->is_dropped();
    } else {
        if (done.has_unsent()) [[unlikely]]
            done.via->send_all(*done.unsent_source());
        release(done);
        const bool has_ended = context_.end.has_ended();
        if (has_ended) [[unlikely]]
            context_.counters.dropped.add();
        else if (!done.is_notification()) {
            told = done.via->answer(done, result);
            done.is_answered = is_result && !told && !done.via->is_dropped();
        }
        if (const std::shared_ptr<batch_reply> batch = std::move(done.of_batch); batch && !has_ended)
            batch->to().drop_hold(*batch);
    }
    if (is_told_of_ends_) [[unlikely]] {
        if constexpr (is_result)
            note_end(done, told, nullptr);
        else
            note_end(done, told, &result);
    }
    request_turn();
}

// `failure`: the error that its handler ended with.
void conversation::note_end(served_request& done, reply_error told, const error_object* failure)
{
    const bool is_lost = context_.end.has_ended() && !done.is_notification();
    auto how = request_disposition::handled;
    if (is_lost)
        how = request_disposition::lost;
    else if (failure && done.cancelled())
        how = request_disposition::cancelled;
    if (failure && done.is_notification())
        done.record.note_error(failure->code);
    admission_.note_end(done, how, told, done.is_tool_error);
}

// Nothing of it goes out any more.
void conversation::conclude_silently(served_request& done)
{
    release(done);
    done.record.end(request_disposition::cancelled); // unless that was told when it was cancelled
    if (const std::shared_ptr<batch_reply> batch = std::move(done.of_batch); batch && !context_.end.has_ended())
        batch->to().drop_hold(*batch);
    request_turn();
}

// It gives its slot back.
inline void conversation::release(served_request& done) noexcept
{
    const start_rule rule = done.rule;
    leave(done);
    admission_.queue().on_end(rule);
}

// Replies in a batch are not kept: they count with the outbox already. Nor is any once the session is cancelling.
inline bool conversation::must_keep_reply(const served_request& done) const noexcept
{
    return done.via->is_full() && !done.of_batch && !context_.end.ignores_input();
}

// It stays in flight, and keeps its slot, until there is room for the reply. All of it is kept, or nothing.
template <class Result>
reply_error conversation::keep_reply(served_request& done, const Result& result)
{
    outlet::kept_replies one = outlet::make_kept(done, done.rule, done.unsent_source());
    reply_without_room& kept = one.front();
    const reply_error told = kept.is_notification() ? reply_error() : kept.via->answer(kept, result);
    kept.quota = std::move(done.quota);
    done.record.note_answer(told, kept.reply.text.size());
    leave(done);
    requests_.list_id(kept);
    context_.counters.in_flight.add(1);
    kept.via->keep(std::move(one));
    return told;
}

void conversation::send_kept(outlet& to)
{
    outlet::kept_replies taken = to.take_kept();
    requests_.release_id(taken.front());
    context_.counters.in_flight.sub(1);
    admission_.queue().on_end(taken.front().rule);
    taken.front().quota.release();
    to.send_kept(taken.front());
}

handler_failure conversation::describe(const served_request& from, std::exception_ptr thrown) const
{
    const cancel_cause cause = from.cause.load(std::memory_order_relaxed);
    handler_failure what = describe_exception(std::move(thrown), cause, context_.options.expose_errors);
    if (what.log.empty())
        note_refusal(from, what.error);
    else
        log("the handler of \"" + std::string(from.method()) + "\" " + what.log);
    return what;
}

void conversation::note_refusal(const served_request& from, const error_object& error) const noexcept
{
    if (!from.is_notification() || from.cancelled()) [[likely]]
        return;
    try {
        log("the handler of \"" + std::string(from.method()) + "\" " + refusal_text(error));
    } catch (...) { // no memory to tell it
    }
}

error_object conversation::error_for(const served_request& from, std::exception_ptr thrown) const noexcept
{
    try {
        return describe(from, std::move(thrown)).error;
    } catch (...) {
        return plain_internal_error(); // no memory for more
    }
}

std::string_view conversation::find_token(json_view params, std::string_view name, bool may_be_escaped)
{
    // A look at the bytes first: next to no request has one.
    if (!may_be_escaped && params.text().find(name) == std::string_view::npos) [[likely]]
        return {};
    std::string_view text;
    std::string_view key;
    message_reader& reader = intake_.reader();
    const std::string_view parent = context_.protocol.token_parent;
    // LSP 3.17, ProgressToken: an integer or a string. MCP has the same.
    if (name.empty())
        return {};
    const json_view place = parent.empty() ? params : reader.find_member(params, parent);
    const bool is_token = reader.find_id(place, name, text, key) && !is_odd_id(text);
    return is_token ? text : std::string_view();
}

void conversation::send_notification(worker& from, std::string_view method, std::string_view params,
                                     bool is_replaceable)
{
    if (from.stage != incoming_request::state::running || from.is_silenced || context_.end.has_ended())
        return; // misuse: the request is no more; or nobody wants to know
    if (!from.has_unsent() && !from.via->is_above_soft()) [[likely]] {
        from.via->writer().notification(method, json_view::checked(params), &from);
        return request_turn();
    }
    notification_text next{std::string(method), std::string(params), is_replaceable};
    if (!is_replaceable && !from.unsent().takes(next, context_.options.bounds.message_bytes))
        throw boost::system::system_error(errc::overloaded);
    if (from.unsent().add(std::move(next)))
        context_.counters.coalesced_progress.add();
    from.via->offer(*from.unsent_source());
}

void conversation::collect_from(served_request& from) noexcept
{
    if (from.stage != incoming_request::state::running || context_.end.has_ended())
        return;
    if (from.is_silenced)
        return cancellation_.drop_unsent(from);
    from.via->offer(*from.unsent_source());
    guarded([this] { request_turn(); });
}

// From here on the request can be cancelled, and its id is taken.
void conversation::enter(served_request& suspended)
{
    turn_.note_suspended();
    requests_.enter(suspended); // before what may throw: it is cancelled then, as all others
    suspended.via->enter(suspended);
    suspended.keep_tokens();
    if (suspended.callee->options.deadline.count() != 0)
        start_deadline(suspended);
    if (context_.end.was_cancelled())
        cancellation_.cancel(suspended, cancel_cause::stop);
    else if (context_.end.is_stopping() && suspended.callee->options.open_ended)
        cancellation_.cancel(suspended, cancel_cause::end_of_input); // it had to wait until then
}

void conversation::start_deadline(served_request& r)
{
    const auto timer =
        std::make_shared<boost::asio::steady_timer>(context_.executor, due_time(r.callee->options.deadline));
    r.more().deadline = timer;
    // The request may have ended meanwhile, and its object serve another, or be no more: it has let go of the timer
    // then.
    timer->async_wait([this, self = weak_from_this(), late = std::weak_ptr(timer), &r](error_code failed) {
        const std::shared_ptr<request_host> hold = self.lock();
        if (failed || !hold || late.expired())
            return;
        cancellation_.cancel(r, cancel_cause::deadline);
        guarded([this] { request_turn(); });
    });
}

// Nothing refers to it any more, but that it still has its slot.
void conversation::leave(served_request& done) noexcept
{
    if (request_extras* const extras = done.extras()) [[unlikely]] {
        if (std::exchange(extras->is_slot_lent, false))
            admission_.queue().take_back(done.rule);
        extras->source.unlink();
        extras->release_calls();
    }
    requests_.leave(done);
    done.via->leave(done);
    done.clear();
}

} // namespace partyline
