#include <partyline/session/detail/awaitable_runner.hpp>

#include "session/serve/parked_coroutine.hpp"

#include <partyline/session/detail/task_memory.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::detail {

class awaitable_loop : public boost::intrusive_ref_counter<awaitable_loop> {
public:
    asio::cancellation_signal signal; // its own: the coroutine's slot must be nobody else's, also while it is parked
    parked_coroutine parked;
    awaitable_job* job = nullptr; // that runs
    bool is_stopped = false;      // it is not to be parked any more
    bool is_gone = true;          // there is no coroutine

    void tell(std::exception_ptr thrown)
    {
        if (awaitable_job* const ended = std::exchange(job, nullptr))
            ended->on_run(std::move(thrown));
    }
};

void intrusive_ptr_add_ref(awaitable_loop* loop) noexcept
{
    boost::sp_adl_block::intrusive_ptr_add_ref(loop);
}
void intrusive_ptr_release(awaitable_loop* loop) noexcept
{
    boost::sp_adl_block::intrusive_ptr_release(loop);
}

namespace {

/// Stands in the coroutine's frame, and notices when that goes.
class frame_guard {
public:
    explicit frame_guard(boost::intrusive_ptr<awaitable_loop> of) noexcept : loop_(std::move(of))
    {
        loop_->is_gone = false;
    }
    frame_guard(frame_guard&&) noexcept = default;
    frame_guard& operator=(frame_guard&&) = delete;
    ~frame_guard()
    {
        if (!loop_)
            return;
        loop_->is_gone = true;
        if (awaitable_job* const lost = std::exchange(loop_->job, nullptr))
            lost->on_run_lost();
    }

    awaitable_loop& loop() const noexcept { return *loop_; }

private:
    boost::intrusive_ptr<awaitable_loop> loop_;
};

/// The job is told when the coroutine is parked already: it may start the next one.
struct park_initiation {
    awaitable_loop& loop;

    template <class Handler>
    void operator()(Handler handler, std::exception_ptr thrown) const
    {
        loop.parked.emplace(std::move(handler));
        loop.tell(std::move(thrown));
    }
};

auto park(awaitable_loop& loop, std::exception_ptr thrown)
{
    return asio::async_initiate<const asio::deferred_t&, void()>(park_initiation{loop}, asio::deferred,
                                                                 std::move(thrown));
}

// A job may have been cancelled, which is sticky (even parking would throw), or have changed how it is cancelled: each
// starts afresh.
asio::awaitable<void> run_jobs(frame_guard guard)
{
    awaitable_loop& loop = guard.loop();
    while (!loop.is_stopped) {
        std::exception_ptr thrown;
        try {
            co_await loop.job->run();
        } catch (...) {
            thrown = std::current_exception();
        }
        if (loop.is_stopped) {
            loop.tell(std::move(thrown));
            break;
        }
        co_await asio::this_coro::reset_cancellation_state();
        co_await asio::this_coro::throw_if_cancelled(true);
        co_await park(loop, std::move(thrown));
    }
}

/// Nobody waits for its end. (It carries the slot itself: `bind_cancellation_slot` would hide that there is no executor
/// of its own, and `co_spawn` then allocates a larger proxy.)
struct loop_ended {
    using cancellation_slot_type = asio::cancellation_slot;
    using allocator_type = task_allocator<std::byte>;

    asio::cancellation_slot slot;

    cancellation_slot_type get_cancellation_slot() const noexcept { return slot; }
    allocator_type get_allocator() const noexcept { return {}; }
    void operator()(std::exception_ptr) const noexcept {}
};

} // namespace

void awaitable_runner::start(const asio::any_io_executor& home, asio::cancellation_slot slot, awaitable_job& job)
{
    const bool is_parked = loop_ && !loop_->is_gone && !loop_->is_stopped;
    try {
        if (!is_parked)
            loop_.reset(new awaitable_loop);
        slot.assign([loop = loop_.get()](asio::cancellation_type type) { loop->signal.emit(type); });
    } catch (...) {
        job.on_run_lost();
        throw;
    }
    loop_->job = &job; // from here on the coroutine tells it, whatever becomes of it
    if (is_parked) [[likely]]
        loop_->parked.resume();
    else
        asio::co_spawn(home, run_jobs(frame_guard(loop_)), loop_ended{loop_->signal.slot()});
}

void awaitable_runner::forget() noexcept
{
    if (loop_)
        loop_->job = nullptr;
}

void awaitable_runner::stop() noexcept
{
    const boost::intrusive_ptr<awaitable_loop> last = loop_; // it may be told of one that runs yet
    if (!last)
        return;
    last->is_stopped = true;
    try { // in order: a handler of Asio's that is dropped has the frame destroyed by a post, which must not fail
        if (last->parked)
            last->parked.resume();
    } catch (const std::bad_alloc&) { // its end could not be told, to nobody
    }
}

} // namespace partyline::detail
