#include "session/serve/worker.hpp"

#include "session/serve/request_host.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline {

/// The worker's completion handler. It carries the cancellation slot itself: `bind_cancellation_slot` would hide that
/// there is no executor of its own, and `co_spawn` then allocates a larger proxy.
struct worker_ended {
    using cancellation_slot_type = asio::cancellation_slot;

    worker* ended;

    cancellation_slot_type get_cancellation_slot() const noexcept { return ended->signal_.slot(); }
    void operator()(std::exception_ptr thrown) const
    {
        // The last reference may go here, and the worker with it: nothing touches them afterwards.
        const std::shared_ptr<request_host> last = std::move(ended->held);
        ended->owner_.on_worker_ended(*ended, std::move(thrown));
    }
};

/// Notices when the frame goes away with a handler suspended in it, as it does with its io_context: then nobody else
/// would let go of the conversation. Asio destroys an abandoned frame later, when the worker may be gone.
struct worker::frame_guard {
    worker* serving; // null when that is gone

    explicit frame_guard(worker& w) noexcept : serving(&w) { w.guard_ = this; }
    frame_guard(const frame_guard&) = delete;
    frame_guard& operator=(const frame_guard&) = delete;
    ~frame_guard()
    {
        if (!serving)
            return;
        serving->guard_ = nullptr;
        if (const std::shared_ptr<request_host> last = std::move(serving->held))
            tell(last, serving);
    }

    // The frame also goes when an operation that the handler began throws: Asio lets that past the coroutine. The
    // dispatched function then runs at once; while the io_context is being destroyed it never runs.
    static void tell(const std::shared_ptr<request_host>& owner, worker* lost) noexcept
    {
        if (owner->context().end.has_ended())
            return;
        try {
            asio::dispatch(owner->context().executor, [owner, lost] { owner->on_worker_lost(*lost); });
        } catch (...) { // the end of the session gives it up
        }
    }

    /// The coroutine has come to its end: `worker_ended` does the rest.
    void disarm() noexcept
    {
        serving->guard_ = nullptr;
        serving = nullptr;
    }
};

worker::~worker()
{
    if (guard_)
        guard_->serving = nullptr;
}

namespace {

struct park_initiation {
    parked_coroutine* place;

    explicit park_initiation(parked_coroutine& p) noexcept : place(&p) {}

    template <class Handler>
    void operator()(Handler&& handler) const
    {
        place->emplace(std::forward<Handler>(handler));
    }
};

auto park(parked_coroutine& place)
{
    return asio::async_initiate<const asio::deferred_t&, void()>(park_initiation(place), asio::deferred);
}

} // namespace

void worker::run()
{
    if (wake_) {
        wake_.resume();
        return;
    }
    asio::co_spawn(owner_.context().executor, loop(), worker_ended{this});
}

// Kept small: GCC 12 gives every temporary of a co_await expression a place of its own in the frame.
asio::awaitable<void> worker::loop()
{
    frame_guard guard(*this);
    do {
        do {
            try {
                owner_.finish(*this, co_await start());
            } catch (...) {
                owner_.finish(*this, std::current_exception());
            }
            drop_attached();
            // The handler may have been cancelled, which is sticky (even parking would throw), or have changed how it
            // is cancelled: the next request starts afresh.
            co_await asio::this_coro::reset_cancellation_state();
            co_await asio::this_coro::throw_if_cancelled(true);
        } while (owner_.next_request(*this));
        if (!owner_.recycle(*this))
            break;
        co_await park(wake_);
    } while (!owner_.context().end.has_ended());
    guard.disarm();
}

asio::awaitable<boost::json::value> worker::start()
{
    handler& target = *callee->target;
    if (target.how() == handler::kind::text_coroutine) [[unlikely]]
        return finish_text(target.start_text(*this, input));
    return target.start(*this, input);
}

// A frame of its own, so that the loop's, which every request in flight has, needs no room for a text. The request has
// its answer then: what this ends with is not looked at.
asio::awaitable<boost::json::value> worker::finish_text(asio::awaitable<json_text> handler)
{
    owner_.finish(*this, co_await std::move(handler));
    co_return boost::json::value();
}

void worker::emit_cancel()
{
    // `total` alone would not end composed operations such as async_read.
    signal_.emit(asio::cancellation_type::all);
}

asio::any_io_executor worker::get_executor() const
{
    return owner_.context().executor;
}

void worker::say(std::string_view method, std::string_view text, bool is_replaceable)
{
    owner_.send_notification(*this, method, text, is_replaceable);
}

bool worker::take_unsent(notification_text& out)
{
    return has_unsent() && unsent().take(out);
}

void worker::on_unsent_taken()
{
    if (!has_unsent())
        wake();
}

void worker::take_to_session(const std::shared_ptr<outgoing_message>& message)
{
    owner_.start_call(message, this);
}

void worker::begin_peer_wait()
{
    owner_.begin_peer_wait(*this);
}

void worker::end_peer_wait()
{
    owner_.end_peer_wait(*this);
}

} // namespace partyline
