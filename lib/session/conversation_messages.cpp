#include "session/conversation.hpp"

#include "session/outcome.hpp"

namespace partyline {

bool conversation::wants_value(std::string_view method)
{
    const partyline::method* const target = find_method(method);
    return target && target->target->takes_value() && !target->options.executor;
}

// Each message asks twice, and most ask for the same method as the one before.
const method* conversation::find_method(std::string_view name)
{
    if (!last_found_ || last_found_->name != name)
        last_found_ = methods_->find(name);
    return last_found_;
}

conversation::step conversation::on_message(const message& m, std::string_view text, worker& free)
{
    switch (m.what) {
    case message::kind::request: return on_request(m, text, free);
    case message::kind::notification: return on_notification(m, text, free);
    case message::kind::batch: open_batch(); return step::done;
    case message::kind::response: counts_.late_replies.add(); return step::done; // nobody asked
    case message::kind::bad: break;
    }
    replies_.reject(m.id, m.method, defect_error(m.problem), batch_.get());
    return step::done;
}

void conversation::open_batch()
{
    if (may_refuse() && outbox_.is_held_full()) {
        counts_.busy.add();
        return replies_.reject({}, {}, busy_error(options_.bounds.outbox_hard_bytes, outbox_.held()), nullptr);
    }
    batch_ = std::make_shared<batch_reply>();
    next_element_ = 0;
}

void conversation::on_oversize(const frame& f)
{
    message nothing;
    nothing.id = f.id;
    if (options_.trace)
        trace_in({}, nothing);
    if (f.looks_like_response)
        counts_.late_replies.add();
    else
        replies_.reject(f.id, {}, oversize_error(options_.bounds.message_bytes, f.size), nullptr);
}

inline conversation::step conversation::on_request(const message& m, std::string_view text, worker& free)
{
    counts_.requests.add();
    if (in_flight_.find(m.id_key)) {
        replies_.reject({}, m.method, duplicate_error(m.id), batch_.get());
        return step::done;
    }
    const method* target = m.method == profile_.cancel_method ? nullptr : find_method(m.method);
    if (!target || target->is_notification) {
        replies_.reject(m.id, m.method, method_not_found_error(), batch_.get());
        return step::done;
    }
    return admit(m, *target, text, free);
}

inline conversation::step conversation::on_notification(const message& m, std::string_view text, worker& free)
{
    if (m.method == profile_.cancel_method) {
        on_cancel(m.params);
        return step::done;
    }
    counts_.notifications.add();
    if (const method* target = find_method(m.method))
        return admit(m, *target, text, free);
    counts_.dropped.add();
    return step::done;
}

// The one place where a request is told to wait.
inline conversation::step conversation::admit(const message& m, const method& target, std::string_view text, worker& free)
{
    const start_rule rule{&target.options, text.size()};
    if (!outbox_.is_full() && queue_.may_start(rule)) [[likely]]
        return start(m, target, rule, nullptr, free);
    const std::optional<shortage> short_of = may_refuse() ? queue_.shortage_for(text.size()) : std::nullopt;
    if (short_of)
        refuse(m, *short_of);
    else
        hold(m, target, rule, text);
    return step::done;
}

conversation::step conversation::start(const message& m, const method& target, const start_rule& rule,
                                       const slot* waited, worker& free)
{
    if (target.options.executor) {
        offload(m, target, rule, waited);
        return step::done;
    }
    free.assign(m, target, rule);
    set_origin(free, waited);
    queue_.on_start(free.rule);
    if (target.target->how() != handler::kind::plain)
        return step::loaded;
    call(free);
    return step::done;
}

void conversation::on_cancel(json_view params)
{
    std::string_view text;
    std::string_view key;
    if (!reader_.find_id(params, profile_.cancel_id, text, key))
        return;
    slot* const found = in_flight_.find(key);
    if (!found)
        return;
    if (found->stage == slot::state::waiting)
        cancel(static_cast<waiting_request&>(*found), cancel_cause::peer);
    else if (found->stage == slot::state::running)
        cancel(static_cast<served_request&>(*found), cancel_cause::peer);
}

void conversation::trace_in(std::string_view text, const message& m) const
{
    options_.trace({trace_event::direction::in, text, m.id, m.method, std::nullopt});
}

} // namespace partyline
