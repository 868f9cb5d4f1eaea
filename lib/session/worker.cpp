#include "session/worker.hpp"

#include "session/conversation.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>

namespace asio = boost::asio;

namespace partyline {

/// The worker's completion handler. It carries the cancellation slot itself: `bind_cancellation_slot` would hide that
/// there is no executor of its own, and `co_spawn` then allocates a larger proxy.
struct worker_ended {
    using cancellation_slot_type = asio::cancellation_slot;

    worker* ended;

    cancellation_slot_type get_cancellation_slot() const noexcept { return ended->signal_.slot(); }
    void operator()(std::exception_ptr) const
    {
        // The last reference may go here, and the worker with it: nothing touches them afterwards.
        const std::shared_ptr<conversation> last = std::move(*ended->held);
        ended->owner_.on_worker_ended(*ended);
    }
};

/// Notices when the frame goes away with a handler suspended in it, as it does with its io_context: then nobody else
/// would let go of the conversation.
struct worker::frame_guard {
    std::shared_ptr<std::shared_ptr<conversation>> held;
    bool has_ended = false;

    explicit frame_guard(const worker& w) noexcept : held(w.held) {}
    frame_guard(const frame_guard&) = delete;
    frame_guard& operator=(const frame_guard&) = delete;
    ~frame_guard()
    {
        if (!has_ended)
            const std::shared_ptr<conversation> last = std::move(*held);
    }
};

namespace {

struct park_initiation {
    parked* place;

    explicit park_initiation(parked& p) noexcept : place(&p) {}

    template <class Handler>
    void operator()(Handler&& handler) const
    {
        place->emplace(std::forward<Handler>(handler));
    }
};

auto park(parked& place)
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
    asio::co_spawn(owner_.get_executor(), loop(), worker_ended{this});
}

// Kept small: GCC 12 gives every temporary of a co_await expression a place of its own in the frame.
asio::awaitable<void> worker::loop()
{
    frame_guard guard(*this);
    do {
        do {
            try {
                if (callee->target->how() == handler::kind::text_coroutine)
                    owner_.finish(*this, co_await start_text());
                else
                    owner_.finish(*this, co_await start());
            } catch (...) {
                owner_.fail(*this, std::current_exception());
            }
            // The handler may have been cancelled, which is sticky (even parking would throw), or have changed how it is
            // cancelled: the next request starts afresh.
            co_await asio::this_coro::reset_cancellation_state();
            co_await asio::this_coro::throw_if_cancelled(true);
        } while (owner_.next_request(*this));
        if (!owner_.keep(*this))
            break;
        co_await park(wake_);
    } while (!owner_.has_ended());
    guard.has_ended = true; // worker_ended takes over
}

void worker::emit_cancel()
{
    // `total` alone would not end composed operations such as async_read.
    signal_.emit(asio::cancellation_type::all);
}

asio::any_io_executor worker::get_executor() const
{
    return owner_.get_executor();
}

void worker::say(std::string_view method, std::string_view text, bool is_replaceable)
{
    owner_.say(*this, method, text, is_replaceable);
}

bool worker::take_said(said& out)
{
    return has_unsaid() && unsaid().take(out);
}

void worker::on_said_taken()
{
    if (!has_unsaid())
        wake();
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
