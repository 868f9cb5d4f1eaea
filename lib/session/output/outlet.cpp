#include "session/output/outlet.hpp"

#include "session/output/outlets.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/session/log.hpp>

#include <string>
#include <utility>

namespace partyline {

outlet::outlet(outlets& owner, outlet_number number, session_context& context, message_bracket& frames, marks at,
               memory_budget* shared, const message_tap& tap, user* told)
    : outbox(frames, at, context.counters, shared), owner_(owner), context_(context),
      writer_(*this, number, context.options, tap), user_(told), number_(number)
{
    if (!is_stream())
        watch_commits();
    writer_.set_listener(told);
}

outlet::kept_replies outlet::make_kept(const incoming_request& done, const start_rule& rule,
                                       notification_source* unsent)
{
    kept_replies one(1);
    reply_without_room& kept = one.front();
    kept.rule = rule;
    kept.set_callee(*done.callee, done.method_name());
    kept.table = done.table;
    kept.via = done.via;
    kept.arrival = done.arrival;
    kept.id = done.id;
    for (notification_text next; unsent && unsent->take_unsent(next);)
        kept.unsent.push_back(std::move(next));
    return one;
}

void outlet::keep(kept_replies one) noexcept
{
    outbox::keep(one.front().reply.text.size());
    kept_.splice(kept_.end(), one);
    ++owner_.kept_;
}

outlet::kept_replies outlet::take_kept() noexcept
{
    kept_replies one;
    one.splice(one.end(), kept_, kept_.begin());
    drop_kept(one.front().reply.text.size());
    --owner_.kept_;
    return one;
}

void outlet::send_kept(const reply_without_room& taken)
{
    for (const notification_text& what : taken.unsent)
        send(what, taken);
    if (!taken.is_notification())
        writer_.forward(taken);
}

void outlet::offer(notification_source& from) noexcept
{
    if (!from.is_linked())
        sources_.push_back(from);
    note_work();
}

bool outlet::send_notifications()
{
    bool is_something = false;
    for (; !sources_.empty() && !is_above_soft(); is_something = true) {
        notification_source& next = sources_.front();
        sources_.pop_front();
        notification_text what;
        if (!next.take_unsent(what))
            continue;
        send(what, next.subject());
        sources_.push_back(next);
        next.on_unsent_taken();
    }
    return is_something;
}

void outlet::send_all(notification_source& from)
{
    notification_text next;
    while (!context_.end.has_ended() && from.take_unsent(next))
        send(next, from.subject());
}

void outlet::send(const notification_text& what, const incoming_request& about)
{
    writer_.notification(what.method, json_view::checked(what.params), &about);
}

reply_error outlet::answer(const incoming_request& to, const error_object& error)
{
    return writer_.error(to, error);
}

reply_error outlet::answer_unwritten(const incoming_request& to, const char* why)
{
    write_log(context_.options.log, std::string("could not write a result: ") + why);
    return answer(to, plain_internal_error());
}

void outlet::forget(incoming_request& r) noexcept
{
    requests_.erase(&r);
    note_work();
}

void outlet::drop_use() noexcept
{
    --uses_;
    if (!is_stream())
        note_work();
}

void outlet::drop_hold(batch_reply& batch)
{
    if (!batch.drop_hold())
        return;
    writer_.send(batch);
    drop_use();
}

void outlet::close(bool cancels) noexcept
{
    is_cancelled_ = is_cancelled_ || cancels;
    user_ = nullptr;
    writer_.set_listener(nullptr);
    drop();
    note_work(); // there is room now for what waited
}

void outlet::note_work() noexcept
{
    if (!is_linked())
        owner_.busy_.push_back(*this);
}

void outlet::on_commit() noexcept
{
    if (is_dropped())
        drop(); // that, too
    note_work();
}

} // namespace partyline
