#pragma once

#include "server/log_throttle.hpp"

#include <partyline/http/event_store.hpp>
#include <partyline/session/memory_budget.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// Calls the event store of a server, which may be slow, fail, throw or never complete: so many calls at a time, each
/// for so long. One that takes longer is cancelled, and whoever waits for it is told that it has failed; it counts as
/// under way until its coroutine has ended.
///
/// Flow: `append()`, `read()`, `end_session()`; `on_tick()` now and then; `stop()` at the end. Who finds no room, or
/// whose call has failed, waits by `wait()`.
/// Thread safety: everything on the executor, which is serial.
class store_calls final : public std::enable_shared_from_this<store_calls> {
public:
    using clock = std::chrono::steady_clock;
    /// What a call has given: nothing where it has failed. What appends gives no events.
    using result = std::optional<stored_events>;
    /// Called once, by the executor and not from within. Must not throw.
    using receiver = std::function<void(result)>;
    using log_hook = std::function<void(std::string_view)>;

    static constexpr std::size_t most = 256;
    static constexpr std::chrono::seconds time_limit{10};

    /// Who wants to try again: soon, when there is room, or with the next tick. It may be destroyed meanwhile.
    class waiter : public boost::intrusive::list_base_hook<
                       boost::intrusive::link_mode<boost::intrusive::link_mode_type::auto_unlink>> {
    public:
        virtual void try_again() noexcept = 0;

    protected:
        ~waiter() = default;
    };

    class call;
    /// Whoever has begun a call. When it goes, nobody wants the result any more, and the call is cancelled.
    class ticket {
    public:
        ticket() = default;
        explicit ticket(std::weak_ptr<call> of) noexcept : of_(std::move(of)) {}
        ticket(ticket&&) noexcept = default;
        ticket& operator=(ticket&& other) noexcept
        {
            cancel();
            of_ = std::move(other.of_);
            return *this;
        }
        ~ticket() { cancel(); }
        void cancel() noexcept;

    private:
        std::weak_ptr<call> of_;
    };

    /// `store` is not null; `budget` may be.
    store_calls(boost::asio::any_io_executor serial, std::shared_ptr<event_store> store,
                std::shared_ptr<memory_budget> budget, log_hook log)
        : executor_(std::move(serial)), store_(std::move(store)), budget_(std::move(budget)), log_(std::move(log))
    {
    }

    bool has_room() const noexcept
    {
        return calls_.size() < most && !is_stopped_ && (!budget_ || !budget_->is_used_up());
    }
    std::size_t under_way() const noexcept { return calls_.size(); }
    /// No call has succeeded since one has failed: nobody should wait for the store.
    bool is_failing() const noexcept { return is_failing_; }

    // Before: there is room. Where they throw nothing was begun.

    /// `bytes`: what the events take. Nobody can withdraw it.
    void append(event_stream_key to, stored_events what, std::size_t bytes, receiver told);
    ticket read(event_stream_key of, std::uint64_t from, std::size_t max_bytes, receiver told);

    /// Does nothing where there is no room or no memory.
    void end_session(std::string session) noexcept;

    /// Tries again later.
    void wait(waiter& one) noexcept { waiting_.push_back(one); }
    /// Events were dropped before they were stored.
    void note_lost(const event_stream_key& of) noexcept;

    void on_tick(clock::time_point now) noexcept;
    /// Cancels everything, and begins nothing more.
    void stop() noexcept;

private:
    class coroutine_end;
    using call_list = std::list<std::shared_ptr<call>>;
    using waiting_list = boost::intrusive::list<waiter, boost::intrusive::constant_time_size<false>>;

    template <class Work>
    std::shared_ptr<call> begin(Work work, std::size_t bytes, receiver told);
    void on_end(call& one, const std::exception_ptr& thrown, stored_events got) noexcept;
    std::shared_ptr<call> find_late(clock::time_point now) const noexcept;
    void note_failure(const std::exception_ptr& thrown) noexcept;
    void fail(std::string_view line) noexcept;

    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<event_store> store_;
    const std::shared_ptr<memory_budget> budget_;
    const log_hook log_;
    call_list calls_;
    waiting_list waiting_;
    log_throttle failures_;
    log_throttle losses_;
    bool is_failing_ = false;
    bool is_stopped_ = false;
};

} // namespace partyline::http
