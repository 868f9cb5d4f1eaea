#include "session/conversation.hpp"

#include "session/requests/error_replies.hpp"

#include <boost/asio/post.hpp>

#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

// Hands a plain function's result on; when it throws instead, nothing has been written yet.
struct conversation::plain_result final : result_writer {
    plain_result(conversation& c, served_request& r) noexcept : owner(c), request(r) {}

    void write(const boost::json::value& result) override { owner.finish(request, result); }
    void write(json_view result) override { owner.finish(request, result); }
    void write(const json_text& result) override { owner.finish(request, result); }

    conversation& owner;
    served_request& request;
};

// Does what was decided about a message that does not run.
struct conversation::perform {
    conversation& c;
    const message& m;
    std::string_view text;
    std::any& facts; // what the profile knows of it

    step operator()(decisions::ignore) const { return step::done; }
    step operator()(const decisions::wait& it) const
    {
        c.wait_for_turn(m, *it.target, text, std::move(facts));
        return step::done;
    }
    step operator()(const decisions::refuse& it) const
    {
        c.intake_.via().writer().refuse(it.id, m.method, it.error, c.intake_.batch().get());
        if (it.is_of_request)
            c.note_answered(it.id, m.method, it.error.code);
        return step::done;
    }
    step operator()(const decisions::answer& it) const
    {
        c.note_answered(m.id, m.method,
                        c.intake_.via().writer().answer(m.id, m.method, it.result, c.intake_.batch().get()));
        return step::done;
    }
    step operator()(const decisions::cancel_request& it) const
    {
        if (incoming_request* const found = c.requests_.find(it.key))
            c.cancel(*found, cancel_cause::peer);
        return step::done;
    }
    step operator()(decisions::open_batch) const
    {
        c.intake_.open_batch(std::make_shared<batch_reply>(c.intake_.via()));
        c.intake_.via().add_use();
        return step::done;
    }
    step operator()(decisions::refuse_batch) const
    {
        c.refuse_whole_batch();
        return step::done;
    }
    step operator()(const decisions::overload_of_notification& it) const
    {
        c.on_overload(m, it.of);
        return step::done;
    }
    step operator()(const decisions::end_session& it) const
    {
        c.stop(it.result, {errc::session_closed});
        return step::done;
    }
};

conversation::conversation(asio::any_io_executor executor, std::shared_ptr<const dispatcher> methods,
                           session_options options, std::unique_ptr<framing> frames)
    : request_host(std::move(executor), std::move(options)), tap_(context_.options.on_message, *this),
      admission_(context_, std::move(methods)),
      intake_(std::move(frames), context_.options, admission_.methods(), context_.counters),
      requests_(context_.counters), outlets_(context_, intake_.frames(), tap_), calls_(*this, context_, tap_),
      workers_(*this), end_timer_(context_.executor)
{
    intake_.set_stream(outlets_.stream());
}

conversation::~conversation()
{
    calls_.drop_all();
    outlets_.forget_sources();
    requests_.forget_all();
}

void conversation::drive() noexcept
{
    if (turn_.is_under_way() || context_.end.has_ended())
        return;
    guarded([this] { take_turn(); });
    if (hook_failure_) [[unlikely]]
        fail(std::exchange(hook_failure_, nullptr));
    if (context_.end.is_broken()) [[unlikely]]
        end();
}

void conversation::take_turn()
{
    const turn::scope taking = turn_.take();
    workers_.destroy_ended();
    outlets_.destroy_ended();
    hand_over(); // what has waited for room comes before what is new
    do {
        run_workers();
    } while (flush());
    if (admission_.methods().has_former() && requests_.empty() && admission_.queue().empty() && !outlets_.has_kept())
        [[unlikely]]
        admission_.forget_former_methods();
    if (turn_.is_over())
        request_turn();
    else if (must_pause()) [[unlikely]]
        host_->on_pause();
    else if (context_.end.has_input_left())
        take_end_of_input();
    else
        host_->resume_reading();
    if (context_.end.is_peer_behind() && !outlets_.is_behind()) [[unlikely]]
        resume_draining();
    check_end();
}

void conversation::run_workers()
{
    const turn::serving serving(turn_);
    for (;;) {
        worker& next = workers_.take();
        turn_.set_active(&next);
        if (!next_request(next))
            break;
        run(next);
    }
    workers_.put_back(*turn_.active());
    started_.clear();
}

void conversation::run(worker& loaded)
{
    loaded.run();
    if (loaded.stage != incoming_request::state::running)
        return;
    loaded.held = shared_from_this();
    enter(loaded);
}

bool conversation::next_request(worker& free) noexcept
{
    try {
        return load(free);
    } catch (...) {
        free.clear(); // of a request that it may have got half of
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
    note_waiting();
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
        return handle_apart(next, free);
    if (intake_.has_pushed()) [[unlikely]]
        return take_pushed(free);
    const output_pressure now = pressure(out());
    if (context_.end.ignores_input() || admission_.must_pause(now) || !intake_.next_message(next))
        return step::none;
    return handle(next, now, free);
}

// push() has admitted it. If its outlet is full by now it waits in the start queue, and blocks no other.
conversation::step conversation::take_pushed(worker& free)
{
    if (context_.end.ignores_input() || admission_.must_pause({}))
        return step::none;
    arrival next;
    intake_.take_pushed(next);
    return is_wanted(next.envelope->type) ? handle_apart(next, free) : step::done;
}

conversation::step conversation::handle_apart(const arrival& next, worker& free)
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
    case arrival::kind::end_of_batch: drop_hold(*intake_.close_batch()); break;
    }
    return step::done;
}

[[gnu::always_inline]] inline decision conversation::decide(const message& m, std::string_view text,
                                                            const output_pressure& now, std::any& facts)
{
    const bool is_id_taken = m.type == message_type::request && requests_.find(m.id_key);
    if (tap_) [[unlikely]] {
        const std::optional<error_object> refusal =
            tap_.incoming(m, text, bool(intake_.batch()), intake_.via().number());
        if (refusal && !is_id_taken) // such a refusal would be taken for the answer to the one in flight
            return admission_.refuse(m, *refusal);
    }
    if (admission_.has_rules()) [[unlikely]] {
        if (std::optional<decision> instead = ask_profile(m, is_id_taken, facts))
            return *std::move(instead);
    }
    if (m.type == message_type::notification && is_progress_of_call(m)) [[unlikely]]
        return decisions::ignore();
    return admission_.decide(m, intake_.reader(), text.size(), is_id_taken, now);
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
        return start(m, *it->target, {&it->target->options, text.size()}, nullptr, facts, free);
    return std::visit(perform{*this, m, text, facts}, std::get<decisions::other>(what));
}

// Runs a plain function to its end.
void conversation::call(worker& loaded)
{
    plain_result result(*this, loaded);
    try {
        loaded.callee->target->call(loaded, loaded.input, result);
    } catch (...) {
        finish(loaded, std::current_exception());
    }
}

bool conversation::recycle(worker& idle) noexcept
{
    return !context_.end.has_ended() && workers_.recycle(idle);
}

void conversation::on_worker_lost(worker& lost) noexcept
{
    finish(lost, plain_internal_error());
    workers_.retire(lost);
}

// Handlers' exceptions don't get here: one that does comes from the worker itself.
void conversation::on_worker_ended(worker& ended, std::exception_ptr thrown) noexcept
{
    workers_.retire(ended); // not destroyed at once: this is called from its own frame
    if (thrown)
        fail(std::move(thrown));
}

// Sends what there is; true when something has room that had none before, or was pushed meanwhile.
bool conversation::flush()
{
    const bool was_full = out().is_full();
    const bool was_paused = must_pause();
    host_->flush();
    if (context_.end.has_ended())
        return false;
    const bool has_handed_over = hand_over();
    const bool has_more =
        intake_.has_pushed() && !turn_.is_over() && !context_.end.ignores_input(); // handed in meanwhile
    return has_handed_over || (was_full && !out().is_full()) || ((was_paused || has_more) && !must_pause());
}

// Sends what had to wait, as far as there is room.
bool conversation::hand_over()
{
    bool is_something = false;
    while (outlet* const next = outlets_.take_busy()) [[unlikely]] {
        is_something = hand_over(*next) || is_something;
        if (outlet::user* const told = next->listener())
            told->flush();
    }
    return is_something;
}

// Replies first, since they free slots; then notifications, then calls.
bool conversation::hand_over(outlet& to)
{
    bool is_something = false;
    for (; to.has_kept() && !to.is_full(); is_something = true)
        send_kept(to);
    is_something = to.send_notifications() || is_something;
    return calls_.send_waiting(to) || is_something;
}

void conversation::drop_hold(batch_reply& batch)
{
    if (!batch.drop_hold())
        return;
    batch.to().writer().send(batch);
    batch.to().drop_use();
}

// Posts one drive() for all that happens before it runs, such as notifications that resumed handlers send, and ends of
// handlers that make room.
void conversation::request_turn()
{
    if (turn_.is_running() || context_.end.has_ended() || !turn_.request())
        return;
    try {
        asio::post(context_.executor, [this, hold = shared_from_this()] { start_turn(); });
    } catch (const std::bad_alloc&) {
        start_turn(); // at once: to wait would be for ever
    }
}

void conversation::start_turn() noexcept
{
    turn_.on_posted();
    drive();
}

} // namespace partyline
