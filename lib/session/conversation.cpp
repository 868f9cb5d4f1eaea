#include "session/conversation.hpp"

#include "session/current_exception.hpp"
#include "session/requests/error_replies.hpp"
#include "session/serve/closable_executor.hpp"

#include <partyline/session/log.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace partyline {

conversation::conversation(asio::any_io_executor executor, std::shared_ptr<const dispatcher> methods,
                           session_options options, std::unique_ptr<framing> frames)
    : request_host(std::move(executor), std::move(options)), tap_(context_, *this),
      admission_(context_, std::move(methods)),
      intake_(std::move(frames), context_.options, admission_, context_.counters), requests_(context_.counters),
      outlets_(context_, intake_.frames(), tap_), calls_(*this, context_, tap_), workers_(*this),
      cancellation_(*this, admission_, requests_, calls_),
      ending_(*this, {*this, admission_, intake_, requests_, outlets_, calls_, cancellation_, turn_}),
      is_told_of_ends_(context_.lifecycle || context_.options.on_served)
{
    intake_.set_stream(outlets_.stream());
}

conversation::~conversation()
{
    drop_rest_of_batch();
    calls_.drop_all();
    outlets_.forget_sources();
    requests_.forget_all();
}

void conversation::drive() noexcept
{
    if (turn_.is_under_way() || context_.end.has_ended())
        return;
    guarded([this] { take_turn(); });
    ending_.after_turn();
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
    if (admission_.methods().has_former()) [[unlikely]]
        forget_former_methods();
    if (turn_.is_over())
        request_turn();
    else if (must_pause()) [[unlikely]]
        host_->on_pause();
    else if (context_.end.has_input_left())
        ending_.take_input_end();
    else
        host_->resume_reading();
    if (context_.end.is_peer_behind() && !outlets_.is_behind()) [[unlikely]]
        ending_.resume_draining();
    ending_.check();
}

void conversation::forget_former_methods()
{
    if (requests_.empty() && admission_.queue().empty() && !outlets_.has_kept())
        return admission_.forget_former_methods();
    if (!admission_.methods().has_many_former())
        return;
    std::vector<table_number> in_use;
    const auto note = [&](const incoming_request& one) { in_use.push_back(one.table); };
    requests_.look_at_each(note);
    admission_.queue().for_each(note);
    outlets_.for_each([&](const outlet& one) {
        for (const reply_without_room& kept : one.replies_without_room())
            note(kept);
    });
    std::sort(in_use.begin(), in_use.end());
    admission_.forget_former_methods_but(in_use);
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

bool conversation::recycle(worker& idle) noexcept
{
    return !context_.end.has_ended() && workers_.recycle(idle);
}

void conversation::on_worker_lost(worker& lost) noexcept
{
    finish(lost, plain_internal_error());
    workers_.retire(lost);
}

void conversation::retire(worker& last) noexcept
{
    workers_.retire(last); // not destroyed at once: this is called from its own function
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

void conversation::end_of_input(detail::end_reason unanswered)
{
    context_.end.on_input_over(std::move(unanswered));
    // What was pushed belongs to the input: the turn that takes it takes its end.
    if (!context_.end.has_ended() && !intake_.has_pushed() && !must_pause() && !turn_.is_over())
        ending_.take_input_end();
}

void conversation::close()
{
    ending_.close();
}

void conversation::use_access(std::shared_ptr<const access_view> view) noexcept
{
    const std::shared_ptr<const access_view> former = context_.access.use(std::move(view));
    if (context_.lifecycle && former.get() != context_.access.get())
        guarded([&] { context_.lifecycle->on_access_changed(former.get(), context_.access.get()); });
}

void conversation::end_access()
{
    context_.access.end();
    cancellation_.refuse_waiting(cancel_cause::access_ended);
    ending_.close(errc::access_ended);
}

void conversation::stop(error_code result, const detail::end_reason& unanswered)
{
    ending_.stop(result, unanswered);
}

void conversation::fail(std::exception_ptr thrown) noexcept
{
    ending_.fail(std::move(thrown));
}

void conversation::on_over() noexcept
{
    let_go();
    tell_end();
    if (host_)
        host_->on_end(context_.end.result());
}

void conversation::detach()
{
    host_ = nullptr;
    context_.end.on_end();
    let_go();
}

// A handler that was given up may hold us for longer than the executor's context lives.
void conversation::let_go() noexcept
{
    outlets_.forget_sources();
    requests_.forget_all(); // before the gate is closed: then those that run elsewhere may go away
    session_executor_->close();
    calls_.drop_all();
    workers_.let_go();
    ending_.let_go();
    context_.executor = {};
    context_.attached.clear(); // last: their destructors find the session over
}

void conversation::log_exception(const char* what, std::exception_ptr thrown) const noexcept
{
    try {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (...) {
            log(what + current_exception_text());
        }
    } catch (...) {
        log(what); // no memory for more
    }
}

void conversation::log(std::string_view line) const noexcept
{
    write_log(context_.options.log, line);
}

} // namespace partyline
