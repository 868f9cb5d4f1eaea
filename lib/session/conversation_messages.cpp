#include "session/conversation.hpp"

#include "session/requests/error_replies.hpp"

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
    if (m.what == message::kind::reply || (m.is_hollow && calls_.is_open(m.id))) {
        calls_.on_response(m, text, bool(batch_), last_call_id_.load(std::memory_order_relaxed));
        return step::done;
    }
    if (tap_) [[unlikely]] {
        if (const std::optional<error_object> refusal = ask_hook(m, text)) {
            refuse(m, *refusal);
            return step::done;
        }
    }
    if (has_rules_ && is_ruled_out(m)) [[unlikely]]
        return step::done;
    switch (m.what) {
    case message::kind::request: return on_request(m, text, free);
    case message::kind::notification: return on_notification(m, text, free);
    case message::kind::batch: open_batch(); return step::done;
    default: break;
    }
    writer_.reject(m.id, m.method, defect_error(m.problem), batch_.get());
    return step::done;
}

// What the hook, or the profile, would not have served.
void conversation::refuse(const message& m, const error_object& refusal)
{
    counts_.requests.add(m.what == message::kind::request ? 1 : 0);
    counts_.notifications.add(m.what == message::kind::notification ? 1 : 0);
    if (m.what == message::kind::request)
        writer_.reject(m.id, m.method, refusal, batch_.get());
    else if (m.what == message::kind::notification)
        counts_.dropped.add();
    else
        writer_.reject({}, {}, refusal, nullptr);
}

void conversation::open_batch()
{
    if (may_refuse() && outbox_.is_held_full())
        return refuse_batch();
    batch_ = std::make_shared<batch_reply>();
    next_element_ = 0;
}

// What answers us is taken all the same.
void conversation::refuse_batch()
{
    for (const std::string_view element : reader_.elements()) {
        const message& m = reader_.read_element(element);
        if (m.what == message::kind::reply)
            calls_.on_response(m, element, true, last_call_id_.load(std::memory_order_relaxed));
    }
    counts_.busy.add();
    writer_.reject({}, {}, busy_error(options_.bounds.outbox_hard_bytes, outbox_.held()), nullptr);
}

void conversation::on_oversize(const frame& f)
{
    message nothing;
    nothing.id = f.id;
    if (f.looks_like_response)
        nothing.what = message::kind::reply;
    if (tap_)
        ask_hook(nothing, {});
    const bool is_given_up = f.size <= options_.bounds.message_bytes; // for want of what sessions share
    if (f.looks_like_response)
        calls_.on_oversize(f.id, last_call_id_.load(std::memory_order_relaxed),
                           is_given_up ? errc::overloaded : errc::message_too_large);
    else if (is_given_up && f.id.empty())
        give_up_for_notification(f);
    else
        writer_.reject(f.id, {}, oversize_error_for(f), nullptr);
}

// It has no id: most likely a notification. To drop it could leave our state wrong.
void conversation::give_up_for_notification(const frame& f)
{
    log("no memory for a notification of " + std::to_string(f.size) + " bytes: the sessions of this program share " +
        std::to_string(input_share_.limit()));
    stop(errc::overloaded, {errc::overloaded});
}

// One that is not too long in itself was given up for want of what sessions share.
error_object conversation::oversize_error_for(const frame& f)
{
    if (f.size > options_.bounds.message_bytes)
        return oversize_error(options_.bounds.message_bytes, f.size);
    counts_.busy.add();
    return busy_error(input_share_.limit(), input_share_.used() + f.size);
}

inline conversation::step conversation::on_request(const message& m, std::string_view text, worker& free)
{
    counts_.requests.add();
    if (in_flight_.find(m.id_key)) {
        writer_.reject({}, m.method, duplicate_error(m.id), batch_.get());
        return step::done;
    }
    const method* target = m.method == profile_.cancel_method ? nullptr : find_method(m.method);
    if (!target || target->is_notification) {
        writer_.reject(m.id, m.method, method_not_found_error(m.method), batch_.get());
        note_answered(m.method, true);
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
    if (m.method == profile_.progress_method && is_progress_of_call(m.params))
        return step::done;
    counts_.notifications.add();
    if (const method* target = find_method(m.method))
        return admit(m, *target, text, free);
    counts_.dropped.add();
    return step::done;
}

bool conversation::is_progress_of_call(json_view params)
{
    std::string_view token;
    std::string_view key;
    return !calls_.empty() && reader_.find_id(params, "token", token, key) &&
           calls_.on_progress(token, reader_.find_member(params, "value"));
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
                                       const incoming_request* waited, worker& free)
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
    incoming_request* const found = in_flight_.find(key);
    if (!found)
        return;
    if (found->stage == incoming_request::state::waiting)
        cancel(static_cast<waiting_request&>(*found), cancel_cause::peer);
    else if (found->stage == incoming_request::state::running)
        cancel(static_cast<served_request&>(*found), cancel_cause::peer);
}

std::optional<error_object> conversation::ask_hook(const message& m, std::string_view text)
{
    using event = message_event::kind;
    event what = event::bad;
    switch (m.what) {
    case message::kind::request: what = event::request; break;
    case message::kind::notification: what = event::notification; break;
    case message::kind::reply: what = event::reply; break;
    case message::kind::batch: what = event::batch; break;
    case message::kind::bad: break;
    }
    std::optional<error_object> refusal =
        tap_.ask({message_event::direction::in, what, bool(batch_), false, text, m.id, m.method, {}});
    if (what != event::request && what != event::notification)
        refusal.reset();
    return refusal;
}

} // namespace partyline
