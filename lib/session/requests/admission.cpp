#include "session/requests/admission.hpp"

#include "protocol/message/id_reader.hpp"
#include "session/requests/error_replies.hpp"

#include <utility>

namespace partyline {

admission::admission(session_context& context, std::shared_ptr<const dispatcher> methods)
    : context_(context), methods_(std::move(methods)), queue_(context.options.bounds, context.options.budget.get()),
      has_rules_(context.rules || !context.dialect.has_batches || !context.dialect.has_odd_ids)
{
}

profile_ruling admission::rule(const message& m, message_reader& reader, bool is_id_taken)
{
    const profile& dialect = context_.dialect;
    lifecycle* const rules = context_.rules.get();
    switch (m.what) {
    case message::kind::batch:
        if (dialect.has_batches)
            return {};
        return {refuse(m, invalid_request_error("this protocol has no batches"))};
    case message::kind::request:
        if (!dialect.has_odd_ids && is_odd_id(m.id)) {
            context_.counters.requests.add();
            return {decisions::answer{{}, invalid_request_error("\"id\" must be an integer or a string")}};
        }
        return rules && !is_id_taken ? apply(rules->on_request(m, reader), m) : profile_ruling();
    case message::kind::notification: return rules ? apply(rules->on_notification(m, reader), m) : profile_ruling();
    default: return {};
    }
}

profile_ruling admission::apply(const ruling& by, const message& m)
{
    profile_ruling out{std::nullopt, by.process, by.note};
    switch (by.what) {
    case ruling::kind::serve: break;
    case ruling::kind::accept:
        if (methods_.find(m.method))
            break; // the program answers it itself
        context_.counters.requests.add();
        out.instead = decisions::accept();
        break;
    case ruling::kind::drop:
    case ruling::kind::refuse: out.instead = refuse(m, by.error); break;
    case ruling::kind::end:
        context_.counters.notifications.add();
        out.instead = decisions::end_session{by.result};
        break;
    }
    return out;
}

decision admission::refuse(const message& m, const error_object& refusal)
{
    switch (m.what) {
    case message::kind::request: context_.counters.requests.add(); return decisions::answer{m.id, refusal};
    case message::kind::notification:
        context_.counters.notifications.add();
        context_.counters.dropped.add();
        return decisions::ignore();
    default: return decisions::answer{{}, refusal};
    }
}

decision admission::decide_notification(const message& m, message_reader& reader, std::size_t size,
                                               const output_pressure& pressure)
{
    if (m.method == context_.dialect.cancel_method) {
        std::string_view text;
        std::string_view key;
        if (reader.find_id(m.params, context_.dialect.cancel_id, text, key))
            return decisions::cancel_request{key};
        return decisions::ignore();
    }
    context_.counters.notifications.add();
    if (const method* const target = methods_.find(m.method))
        return admit(m, *target, size, pressure);
    context_.counters.dropped.add();
    return decisions::ignore();
}

decision admission::decide_other(const message& m, message_reader& reader, std::size_t size, const output_pressure& pressure)
{
    switch (m.what) {
    case message::kind::notification: return decide_notification(m, reader, size, pressure);
    case message::kind::batch: return decide_batch(pressure);
    default: return decisions::answer{m.id, defect_error(m.problem)};
    }
}

decision admission::decide_batch(const output_pressure& pressure)
{
    if (!may_refuse(pressure) || !pressure.is_held_full)
        return decisions::open_batch();
    context_.counters.busy.add();
    return decisions::refuse_batch();
}

// The one place where a request is told to wait.
decision admission::hold(const message& m, const method& target, std::size_t size, const output_pressure& pressure)
{
    const std::optional<shortage> short_of = may_refuse(pressure) ? queue_.shortage_for(size) : std::nullopt;
    if (short_of)
        return refuse_for(m, *short_of);
    return decisions::wait{&target};
}

decision admission::refuse_request(const message& m, bool is_id_taken)
{
    if (is_id_taken)
        return decisions::answer{{}, duplicate_error(m.id)};
    return decisions::answer{m.id, method_not_found_error(m.method), true};
}

decision admission::refuse_for(const message& m, const shortage& of)
{
    if (m.what == message::kind::notification)
        return decisions::overload_of_notification{of};
    context_.counters.busy.add();
    return decisions::answer{m.id, busy_error(of.limit, of.value), true};
}

void admission::note_answered(std::string_view method, bool is_error)
{
    if (context_.rules)
        context_.rules->on_answered(method, is_error);
}

// Where nothing is to be lost the reader pauses instead, and so it does when the peer, not reading, only asks. One that we
// call too may not read because we don't: two sessions that owe each other long replies must both read on.
bool admission::may_refuse(const output_pressure& pressure) const noexcept
{
    if (context_.options.on_overload == overload::pause)
        return false;
    return pressure.has_called ? !pressure.is_at_cap : !pressure.is_full;
}

// The last resort: what has been read may be the only thing that can make room, so there must be something of it.
bool admission::is_at_limit(const output_pressure& pressure) const noexcept
{
    if (pressure.is_at_cap)
        return true;
    if (may_refuse(pressure))
        return false;
    return (!queue_.empty() && queue_.shortage_for(1)) || pressure.is_held_full;
}

} // namespace partyline
