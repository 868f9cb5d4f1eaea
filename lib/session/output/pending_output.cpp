#include "session/output/pending_output.hpp"

#include "session/log.hpp"
#include "session/requests/error_replies.hpp"

#include <string>
#include <utility>

namespace partyline {

pending_output::pending_output(session_context& context, framing& frames, const message_tap& tap)
    : context_(context), outbox_(frames, context.options.bounds, context.counters, context.options.budget.get()),
      writer_(outbox_, context.options, tap)
{
}

pending_output::kept_replies pending_output::make_kept(const incoming_request& done, const start_rule& rule,
                                                      notification_source* unsent)
{
    kept_replies one(1);
    reply_without_room& kept = one.front();
    kept.rule = rule;
    kept.callee = done.callee;
    kept.arrival = done.arrival;
    kept.id = done.id;
    for (notification_text next; unsent && unsent->take_unsent(next);)
        kept.unsent.push_back(std::move(next));
    return one;
}

void pending_output::keep(kept_replies one) noexcept
{
    outbox_.keep(one.front().reply.text.size());
    kept_.splice(kept_.end(), one);
}

pending_output::kept_replies pending_output::take_kept() noexcept
{
    kept_replies one;
    one.splice(one.end(), kept_, kept_.begin());
    outbox_.drop_kept(one.front().reply.text.size());
    return one;
}

void pending_output::send_kept(const reply_without_room& taken)
{
    for (const notification_text& what : taken.unsent)
        send(what, taken);
    if (!taken.is_notification())
        writer_.forward(taken);
}

void pending_output::offer(notification_source& from) noexcept
{
    if (!from.is_linked())
        sources_.push_back(from);
}

bool pending_output::send_notifications()
{
    bool is_something = false;
    for (; !sources_.empty() && !outbox_.is_above_soft(); is_something = true) {
        notification_source& next = sources_.front();
        sources_.pop_front();
        notification_text what;
        if (!next.take_unsent(what))
            continue;
        send(what, next.subject());
        offer(next);
        next.on_unsent_taken();
    }
    return is_something;
}

void pending_output::send_all(notification_source& from)
{
    notification_text next;
    while (!context_.end.has_ended() && from.take_unsent(next))
        send(next, from.subject());
}

void pending_output::send(const notification_text& what, const incoming_request& about)
{
    writer_.notification(what.method, json_view::checked(what.params), &about);
}

reply_error pending_output::answer(const incoming_request& to, const error_object& error)
{
    return writer_.error(to, error);
}

reply_error pending_output::answer_unwritten(const incoming_request& to, const char* why)
{
    write_log(context_.options.log, std::string("could not write a result: ") + why);
    return answer(to, plain_internal_error());
}

} // namespace partyline
