#include "session/requests/admission.hpp"

#include "protocol/message/id_reader.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/protocol/printable.hpp>

#include <functional>
#include <new>
#include <utility>

namespace partyline {
namespace {

bool has_rules(const session_context& context) noexcept
{
    const profile& protocol = context.protocol;
    return context.lifecycle || !protocol.allows_batches || !protocol.allows_null_and_fraction_ids ||
           !protocol.allows_array_params;
}

bool is_served(const decision& what) noexcept
{
    const auto* const other = std::get_if<decisions::other>(&what);
    return !other || std::holds_alternative<decisions::wait>(*other);
}

} // namespace

/// A call that has to be signed. As a function it is the consent that its proof is used by.
struct admission::signed_call {
    bool operator()(const std::shared_ptr<const access_grant>& signer)
    {
        found = by.admit_signed(*this, signer);
        return is_served(*found);
    }

    admission& by;
    const message& m;
    const method& target; // a group, where `meant` is of one
    const method& meant;
    const std::string& key;
    const std::size_t size;
    const output_pressure& pressure;
    std::optional<decision> found = {}; // what becomes of it, where its proof is right in all else
};

admission::admission(session_context& context, std::shared_ptr<const dispatcher> methods)
    : context_(context), methods_(std::move(methods)), queue_(context.options.bounds, context.options.budget.get()),
      has_rules_(partyline::has_rules(context))
{
}

// For one that is about to start: a value of many bytes would be much work in vain where it waits or is refused.
bool admission::wants_value(std::string_view name, std::size_t bytes)
{
    constexpr std::size_t few = 4096;
    const method* const target = methods_.find(name);
    return target && target->target->takes_value() && !target->options.executor &&
           (bytes <= few || queue_.may_start({&target->options, bytes}));
}

profile_ruling admission::rule(const message& m, message_reader& reader, bool is_id_taken)
{
    if ((m.type == message_type::request || m.type == message_type::bad) && !answers())
        return drop_unanswered(m);
    switch (m.type) {
    case message_type::batch:
        if (context_.allows_batches())
            return {};
        return {refuse(m, invalid_request_error("this protocol has no batches"))};
    case message_type::request: return rule_request(m, reader, is_id_taken);
    case message_type::notification: return rule_notification(m, reader);
    default: return {};
    }
}

profile_ruling admission::drop_unanswered(const message& m)
{
    constexpr std::size_t longest = 128; // of what is shown of a name
    std::string line = "dropped what is not answered in this protocol: ";
    line += m.type == message_type::request ? "the request \"" + printable(m.method, longest) + '"' : "no message";
    return {refuse(m, {}), {}, {}, std::move(line)};
}

profile_ruling admission::rule_request(const message& m, message_reader& reader, bool is_id_taken)
{
    if (!context_.protocol.allows_null_and_fraction_ids && is_odd_id(m.id)) {
        context_.counters.requests.add();
        return {decisions::refuse{{}, invalid_request_error("\"id\" must be an integer or a string")}};
    }
    if (is_id_taken)
        return {};
    if (has_wrong_params(m))
        return {refuse(m, array_params_error())};
    return context_.lifecycle ? apply(context_.lifecycle->on_request(m, reader), m) : profile_ruling();
}

profile_ruling admission::rule_notification(const message& m, message_reader& reader)
{
    if (has_wrong_params(m)) {
        std::string line = "dropped the notification \"" + std::string(m.method) + "\": its params are an array";
        return {refuse(m, {}), {}, {}, std::move(line)};
    }
    return context_.lifecycle ? apply(context_.lifecycle->on_notification(m, reader), m) : profile_ruling();
}

bool admission::has_wrong_params(const message& m) const noexcept
{
    return !context_.protocol.allows_array_params && m.params.text().starts_with('[');
}

profile_ruling admission::apply(ruling by, const message& m)
{
    profile_ruling out{std::nullopt, std::move(by.facts), by.watch_process, std::move(by.log_line)};
    switch (by.action) {
    case ruling_action::serve: break;
    case ruling_action::answer_unless_served:
        if (methods_.find(m.method))
            break;
        if (m.type == message_type::notification) {
            context_.counters.notifications.add();
            out.instead = decisions::ignore{request_disposition::handled};
            break;
        }
        [[fallthrough]];
    case ruling_action::answer:
        if (m.type != message_type::request)
            break; // there is no id to answer to
        context_.counters.requests.add();
        out.instead = decisions::answer{std::move(by.result)};
        break;
    case ruling_action::drop: out.instead = refuse(m, invalid_request_error("it may not come now")); break;
    case ruling_action::refuse: out.instead = refuse(m, by.error); break;
    case ruling_action::end:
        context_.counters.notifications.add();
        out.instead = decisions::end_session{by.end_result};
        break;
    }
    return out;
}

decision admission::refuse(const message& m, const error_object& refusal)
{
    if (m.type != message_type::notification && !answers()) {
        context_.counters.dropped.add();
        return decisions::ignore();
    }
    switch (m.type) {
    case message_type::request: context_.counters.requests.add(); return decisions::refuse{m.id, refusal};
    case message_type::notification:
        context_.counters.notifications.add();
        context_.counters.dropped.add();
        return decisions::ignore();
    default: return decisions::refuse{{}, refusal};
    }
}

decision admission::decide_notification(const message& m, message_reader& reader, std::size_t size,
                                        const output_pressure& pressure)
{
    if (m.method == context_.protocol.cancel_method) {
        const std::string_view key = context_.protocol.read_cancel(m.params, reader);
        return key.empty() ? decision(decisions::ignore()) : decisions::cancel_request{key};
    }
    context_.counters.notifications.add();
    const method* const target = methods_.find(m.method);
    if (target && context_.access.is_limited())
        return judge(m, reader, *target, size, pressure);
    if (target)
        return admit(m, methods_.selected(*target, m, reader), size, pressure);
    context_.counters.dropped.add();
    return decisions::ignore();
}

// The one place where a peer's rights are asked for. A member of a group that is hidden is not there: the group itself
// is run, which answers for what it does not have; both alike take from the quota.
decision admission::judge(const message& m, message_reader& reader, const method& found, std::size_t size,
                          const output_pressure& pressure)
{
    drop_belongings(); // nothing has been left, unless an exception has left it
    if (context_.access.has_ended())
        return deny(m, authentication_required_error());
    const method& meant = methods_.selected(found, m, reader);
    const bool is_member = &meant != &found;
    const access_view* const view = context_.access.get();
    if (!view || (found.is_group && !is_member))
        return admit_within_quota(m, meant, size, pressure);
    std::string key;
    try {
        if (is_member)
            key = methods_.key(found, m, reader);
    } catch (const std::bad_alloc&) { // costs this message alone, as in `dispatcher::select`
        return deny(m, plain_internal_error());
    }
    const access_verdict verdict = view->judge(m.method, key);
    switch (verdict.is) {
    case access_answer::allowed: return admit_within_quota(m, meant, size, pressure);
    case access_answer::hidden:
        return is_member ? admit_within_quota(m, found, size, pressure) : deny(m, method_not_found_error(m.method));
    case access_answer::needs_proof: return admit_proven({*this, m, found, meant, key, size, pressure});
    case access_answer::lacks_scope: break;
    }
    return deny(m, insufficient_scope(verdict.required));
}

// A request that is refused after that, for want of room, gives its place back; it has counted with the rate.
decision admission::admit_within_quota(const message& m, const method& target, std::size_t size,
                                       const output_pressure& pressure)
{
    if (std::optional<error_object> refusal = take_from_quota(m, target, context_.access.quota()))
        return deny(m, std::move(*refusal));
    return admit(m, target, size, pressure);
}

std::optional<error_object> admission::take_from_quota(const message& m, const method& target,
                                                       const std::shared_ptr<request_quota>& quota)
{
    if (!quota)
        return std::nullopt;
    const request_quota::clock::time_point now = request_quota::clock::now();
    const bool takes_no_slot = m.type == message_type::notification || target.options.open_ended;
    const auto later = takes_no_slot ? quota->take_from_rate(now) : taken_.take(quota, now);
    if (!later)
        return std::nullopt;
    return m.type == message_type::notification ? error_object() : too_many_requests_error(*later);
}

// The quota of the conversation is asked first: to check a proof costs more than most calls do. That of the signer is
// asked when it is known who that is. A call that is refused since there is no room for it uses no proof.
decision admission::admit_proven(signed_call call)
{
    const message& m = call.m;
    if (std::optional<error_object> refusal = take_from_quota(m, call.meant, context_.access.quota()))
        return deny(m, std::move(*refusal));
    try {
        const proof_verdict proof =
            context_.access.get()->check_proof({m.method, m.params, shown_proof_, context_.peer(), std::ref(call)});
        if (call.found ? !is_served(*call.found) : proof.is == proof_verdict::outcome::valid && !call(nullptr))
            return *std::move(call.found);
        switch (proof.is) {
        case proof_verdict::outcome::valid: return *std::move(call.found);
        case proof_verdict::outcome::refused: return deny(m, proof_required_error(proof.reason));
        case proof_verdict::outcome::busy: break;
        }
        return deny(m, plain_busy_error());
    } catch (const std::bad_alloc&) {
        return deny(m, plain_internal_error());
    }
}

decision admission::admit_signed(const signed_call& call, const std::shared_ptr<const access_grant>& signer)
{
    const method* target = &call.meant;
    const peer_identity* const peer = context_.peer();
    if (signer && (!peer || peer->principal.empty())) {
        signer_ = make_signer(signer);
        if (std::optional<decision> refusal = refuse_signer(call, *signer, target))
            return *std::move(refusal);
    }
    return admit(call.m, *target, call.size, call.pressure);
}

// Nothing where the signer may call this. `target`: what by, where that is hidden from it.
std::optional<decision> admission::refuse_signer(const signed_call& call, const access_grant& signer,
                                                 const method*& target)
{
    const message& m = call.m;
    const access_verdict verdict = signer.view ? signer.view->judge(m.method, call.key) : access_verdict();
    if (verdict.is == access_answer::lacks_scope)
        return deny(m, insufficient_scope(verdict.required));
    if (verdict.is == access_answer::hidden) {
        if (&call.meant == &call.target)
            return deny(m, method_not_found_error(m.method));
        target = &call.target;
    }
    if (std::optional<error_object> refusal = take_from_quota(m, *target, signer.quota))
        return deny(m, std::move(*refusal));
    return std::nullopt;
}

std::shared_ptr<const call_signer> admission::make_signer(const std::shared_ptr<const access_grant>& grant) const
{
    auto made = std::make_shared<call_signer>(call_signer{grant, *grant->peer});
    if (const peer_identity* const from = context_.peer()) {
        made->peer.local = from->local;
        made->peer.address = from->address;
    }
    return made;
}

// A notification is dropped: nobody can be told. Nothing that was found out about it stays for the next message.
decision admission::deny(const message& m, error_object why)
{
    taken_.release();
    if (m.type == message_type::request)
        return decisions::refuse{m.id, std::move(why), true, std::move(signer_)};
    context_.counters.dropped.add();
    return decisions::ignore{request_disposition::dropped, std::move(signer_)};
}

decision admission::decide_other(const message& m, message_reader& reader, std::size_t size,
                                 const output_pressure& pressure)
{
    switch (m.type) {
    case message_type::notification: return decide_notification(m, reader, size, pressure);
    case message_type::batch: return decide_batch(m, pressure);
    default: return decisions::refuse{returned_id(m.id), defect_error(m.problem)};
    }
}

decision admission::decide_batch(const message& m, const output_pressure& pressure)
{
    if (m.problem.what != defect::kind::none)
        return decisions::refuse_batch{defect_error(m.problem)};
    if (!may_refuse(pressure) || !pressure.is_held_full)
        return decisions::open_batch();
    context_.counters.busy.add();
    return decisions::refuse_batch();
}

std::string_view admission::returned_id(std::string_view id) const noexcept
{
    const bool is_one = id.empty() || context_.protocol.allows_null_and_fraction_ids || !is_odd_id(id);
    return is_one ? id : std::string_view();
}

// The one place where a request is told to wait.
decision admission::wait_or_refuse(const message& m, const method& target, std::size_t size,
                                   const output_pressure& pressure)
{
    const std::optional<shortage> short_of = may_refuse(pressure) ? queue_.shortage_for(size) : std::nullopt;
    if (short_of)
        return refuse_for_shortage(m, *short_of);
    return decisions::wait{&target};
}

decision admission::refuse_request(const message& m, bool is_id_taken)
{
    if (is_id_taken)
        return decisions::refuse{{}, duplicate_error(m.id)};
    if (context_.access.has_ended()) // as what is hidden is refused
        return decisions::refuse{m.id, authentication_required_error(), true};
    return decisions::refuse{m.id, method_not_found_error(m.method), true};
}

decision admission::refuse_for_shortage(const message& m, const shortage& of)
{
    if (m.type == message_type::notification) {
        drop_belongings();
        return decisions::overload_of_notification{of};
    }
    taken_.release();
    context_.counters.busy.add();
    return decisions::refuse{m.id, busy_error(of.limit, of.value), true, std::move(signer_)};
}

std::string admission::key_of(const message& m, message_reader& reader)
{
    const method* const found = m.method.empty() ? nullptr : methods_.find(m.method);
    if (!found || !found->is_group || &methods_.selected(*found, m, reader) == found)
        return {};
    return methods_.key(*found, m, reader);
}

void admission::note_answered(std::string_view id, std::string_view method, reply_error told)
{
    if (!context_.lifecycle)
        return;
    answer_given given = describe_answer(id, method, told);
    if (id.empty())
        given.outcome = answer_outcome::none; // a notification
    context_.lifecycle->on_answered(given);
}

void admission::note_end(const incoming_request& ended, request_disposition how, reply_error told, bool is_tool_error)
{
    ended.record.end(how, is_tool_error);
    if (!context_.end.has_ended())
        note_answered(ended.id.text(), ended.method_name(), told);
}

void admission::note_unanswered(const incoming_request& ended)
{
    ended.record.end(request_disposition::cancelled);
    if (context_.lifecycle)
        context_.lifecycle->on_answered({ended.id.text(), ended.method_name(), answer_outcome::none, 0});
}

void admission::count_waiting() noexcept
{
    context_.counters.waiting.set(queue_.size());
    context_.counters.waiting_bytes.set(queue_.bytes());
}

// With `overload::pause` reading pauses instead, and also when a peer that does not read has not been called. A peer
// that we call may not read because we don't: two sessions that owe each other long replies must both read on.
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
