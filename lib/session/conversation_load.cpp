// From what has arrived, or has waited, to a worker that is loaded with a request.
#include "session/conversation.hpp"

#include <utility>

namespace partyline {

// Hands a plain function's result on; when it throws instead, nothing has been written yet.
struct conversation::plain_result final : result_writer {
    plain_result(conversation& c, served_request& r) noexcept : owner(c), request(r) {}

    void write(const boost::json::value& result) override { owner.finish(request, result); }
    void write(json_view result) override { owner.finish(request, result); }
    void write(const json_text& result) override { owner.finish(request, result); }
    void refuse(const error_object& error) override
    {
        owner.note_refusal(request, error);
        owner.finish(request, error);
    }

    conversation& owner;
    served_request& request;
};

// Does what was decided about a message that does not run.
struct conversation::perform {
    conversation& c;
    const message& m;
    std::string_view text;
    std::any& facts; // what the profile knows of it

    step operator()(const decisions::ignore& it) const
    {
        if (it.signer)
            c.tap_.record().set_signer(it.signer);
        c.tap_.record().end(it.as);
        return step::done;
    }
    step operator()(const decisions::wait& it) const
    {
        c.wait_for_turn(m, *it.target, text, std::move(facts));
        return step::done;
    }
    step operator()(const decisions::refuse& it) const
    {
        if (it.signer)
            c.tap_.record().set_signer(it.signer);
        c.intake_.via().writer().refuse(it.id, m.method, it.error, c.intake_.batch().get());
        c.tap_.record().end(request_disposition::refused);
        if (it.is_of_request)
            c.admission_.note_answered(it.id, m.method, it.error.code);
        return step::done;
    }
    step operator()(const decisions::answer& it) const
    {
        const reply_error told = c.intake_.via().writer().answer(m.id, m.method, it.result, c.intake_.batch().get());
        c.tap_.record().end(request_disposition::handled);
        c.admission_.note_answered(m.id, m.method, told);
        return step::done;
    }
    step operator()(const decisions::cancel_request& it) const
    {
        if (incoming_request* const found = c.requests_.find(it.key))
            c.cancellation_.cancel(*found, cancel_cause::peer);
        c.tap_.record().end(request_disposition::handled);
        return step::done;
    }
    step operator()(decisions::open_batch) const
    {
        c.intake_.open_batch(std::make_shared<batch_reply>(c.intake_.via()));
        c.intake_.via().add_use();
        return step::done;
    }
    step operator()(const decisions::refuse_batch& it) const
    {
        c.refuse_whole_batch(it.error);
        return step::done;
    }
    step operator()(const decisions::overload_of_notification& it) const
    {
        c.tap_.record().end(request_disposition::dropped);
        c.on_overload(m, it.of);
        return step::done;
    }
    step operator()(const decisions::end_session& it) const
    {
        c.tap_.record().end(request_disposition::handled);
        c.stop(it.result, {errc::session_closed});
        return step::done;
    }
};

bool conversation::next_request(worker& free) noexcept
{
    try {
        return load(free);
    } catch (...) {
        free.clear(); // of a request that it may have got half of
        free.record.lose();
        tap_.record().lose();
        admission_.drop_belongings();
        admission_.show_proof({});
        fail(std::current_exception());
        return false;
    }
}

bool conversation::load(worker& free)
{
    if (!turn_.may_load(free))
        return false;
    const turn::scope loading = turn_.load();
    for (;;) {
        step taken = take_waiting(free);
        if (taken == step::none)
            taken = take_arrival(free);
        if (taken != step::done)
            return taken == step::loaded;
    }
}

[[gnu::always_inline]] inline conversation::step conversation::start(const message& m, const method& target,
                                                                     const start_rule& rule, waiting_request* waited,
                                                                     std::any& facts, worker& free)
{
    if (target.options.executor) {
        offload(m, target, rule, waited, facts);
        return step::done;
    }
    free.assign(m, target, rule);
    set_origin(free, waited);
    if (facts.has_value()) [[unlikely]]
        free.more().facts = std::move(facts);
    admission_.queue().on_start(free.rule);
    if (target.target->how() != handler::kind::plain)
        return step::loaded;
    call(free);
    return step::done;
}

inline conversation::step conversation::take_waiting(worker& free)
{
    start_queue& queue = admission_.queue();
    if (queue.empty()) [[likely]]
        return step::none;
    if (out().is_full() && !outlets_.has_others()) // another outlet may have room for the reply; else it is kept
        return step::none;
    started_.clear();
    if (!queue.take_ready(started_))
        return step::none;
    admission_.count_waiting();
    waiting_request& next = started_.front();
    const message& m = intake_.read_again(next.text);
    requests_.release_id(next);
    next.via->leave(next);
    return start(m, *next.callee, next.rule, &next, next.facts, free);
}

inline conversation::step conversation::take_arrival(worker& free)
{
    arrival next;
    if (intake_.next_element(next)) [[unlikely]]
        return handle_by_outlet(next, free);
    if (intake_.has_pushed()) [[unlikely]]
        return take_pushed(free);
    const output_pressure now = pressure(out());
    if (context_.end.ignores_input() || admission_.must_pause(now) || !intake_.next_message(next))
        return step::none;
    return handle(next, now, free);
}

// push() has admitted it. If its outlet is full by now it waits in the start queue, and blocks no other. The proof that
// came beside it is for it alone: for no element of a batch, and for nothing that comes next.
conversation::step conversation::take_pushed(worker& free)
{
    if (context_.end.ignores_input() || admission_.must_pause({}))
        return step::none;
    arrival next;
    intake_.take_pushed(next);
    if (!is_wanted(*next.envelope))
        return step::done;
    if (intake_.via().proof_beside().empty()) [[likely]]
        return handle_by_outlet(next, free);
    const std::string proof = intake_.via().take_proof_beside();
    admission_.show_proof(proof);
    const step how = handle_by_outlet(next, free);
    admission_.show_proof({});
    return how;
}

conversation::step conversation::handle_by_outlet(const arrival& next, worker& free)
{
    return handle(next, pressure(intake_.via()), free);
}

[[gnu::always_inline]] inline conversation::step conversation::handle(const arrival& next, const output_pressure& now,
                                                                      worker& free)
{
    switch (next.what) {
    case arrival::kind::message: return handle_message(*next.envelope, next.text, now, free);
    case arrival::kind::oversize: on_oversize(*next.discarded); break;
    case arrival::kind::bad_header: on_bad_header(*next.discarded); break;
    case arrival::kind::end_of_batch: {
        const std::shared_ptr<batch_reply> whole = intake_.close_batch();
        whole->to().drop_hold(*whole);
        break;
    }
    }
    return step::done;
}

[[gnu::always_inline]] inline decision conversation::decide(const message& m, std::string_view text,
                                                            const output_pressure& now, std::any& facts)
{
    const bool is_id_taken = m.type == message_type::request && requests_.find(m.id_key);
    if (tap_.is_observed()) [[unlikely]] {
        const std::optional<error_object> refusal = show_arrival(m, text, bool(intake_.batch()));
        if (refusal && !is_id_taken) // such a refusal would be taken for the answer to the one in flight
            return admission_.refuse(m, *refusal);
    }
    if (admission_.has_rules()) [[unlikely]] {
        if (std::optional<decision> instead = ask_profile(m, is_id_taken, facts))
            return *std::move(instead);
    }
    if (m.type == message_type::notification && is_progress_of_call(m)) [[unlikely]]
        return decisions::ignore{request_disposition::handled};
    return admission_.decide(m, intake_.reader(), size_of(text), is_id_taken, now);
}

[[gnu::always_inline]] inline conversation::step conversation::handle_message(const message& m, std::string_view text,
                                                                              const output_pressure& now, worker& free)
{
    if (m.type == message_type::reply || (m.is_hollow && calls_.is_open(m.id))) [[unlikely]] {
        take_reply(m, text, bool(intake_.batch()));
        return step::done;
    }
    std::any facts;
    const decision what = decide(m, text, now, facts);
    if (const auto* const it = std::get_if<decisions::run>(&what)) [[likely]]
        return start(m, *it->target, {&it->target->options, size_of(text)}, nullptr, facts, free);
    return std::visit(perform{*this, m, text, facts}, std::get<decisions::other>(what));
}

// Runs a plain function to its end.
void conversation::call(worker& loaded)
{
    plain_result result(*this, loaded);
    try {
        loaded.callee->target->call(loaded, loaded.input, result);
    } catch (const rpc_error& thrown) { // the usual one: it is not thrown a second time to see what it is
        result.refuse(thrown.error());
    } catch (...) {
        finish(loaded, error_for(loaded, std::current_exception()));
    }
    loaded.drop_attached();
}

} // namespace partyline
