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
/// for so long. One that takes longer is cancelled, and whoever waits for it is told that it is late; it counts as
/// under way until its coroutine has ended.
///
/// Flow: `append()`, `read()`, `end_session()`; `on_tick()` now and then; `stop()` at the end. Who finds no room waits
/// by `wait_for_room()`, and who has failed by `wait_for_tick()`.
/// Thread safety: everything on the executor, which is serial.
class store_calls final : public std::enable_shared_from_this<store_calls> {
public:
    using clock = std::chrono::steady_clock;
    /// What a read has given: nothing where it has failed, or is late.
    using result = std::optional<stored_events>;
    /// `late`: it takes too long and has been cancelled, and another of these follows when its coroutine has ended.
    enum class append_state : std::uint8_t { stored, failed, late };
    // Called by the executor and not from within; that of a read once. Must not throw.
    using read_receiver = std::function<void(result)>;
    using append_receiver = std::function<void(append_state)>;
    using log_hook = std::function<void(std::string_view)>;

    static constexpr std::size_t max_calls = 256;
    /// So many of them may be reads, which clients ask for.
    static constexpr std::size_t max_reads = max_calls / 2;
    static constexpr std::size_t max_reads_of_session = 8;
    /// Most of those who wait for a tick that one tick lets try again: a store may fail at once, each time.
    static constexpr std::size_t max_retries = 64;
    static constexpr std::chrono::seconds time_limit{10};

    /// Who wants to try again: when there is room, or with the next tick. It may be destroyed meanwhile.
    class waiter : public boost::intrusive::list_base_hook<
                       boost::intrusive::link_mode<boost::intrusive::link_mode_type::auto_unlink>> {
    public:
        virtual void try_again() noexcept = 0;

    protected:
        ~waiter() = default;
    };

    class call;
    /// Whoever has begun a read. When it goes, nobody wants the result any more, and the call is cancelled.
    class read_handle {
    public:
        read_handle() = default;
        explicit read_handle(std::weak_ptr<call> of) noexcept : of_(std::move(of)) {}
        read_handle(read_handle&&) noexcept = default;
        read_handle& operator=(read_handle&& other) noexcept
        {
            cancel();
            of_ = std::move(other.of_);
            return *this;
        }
        ~read_handle() { cancel(); }
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
        return calls_.size() < max_calls && !is_stopped_ && (!budget_ || !budget_->is_used_up());
    }
    /// Whether streams of this session may be read.
    bool has_room_to_read(const std::string& session) const noexcept;
    /// Whether `append_last()` of so many bytes finds room.
    bool has_room_for_last(const event_stream_key& to, std::size_t bytes) const noexcept;
    std::size_t under_way() const noexcept { return calls_.size(); }
    /// Whether there are calls whose time ticks bound.
    bool needs_ticks() const noexcept { return !calls_.empty() && !is_stopped_; }
    /// Whether events of a stream are being appended, and not late.
    bool is_appending(const event_stream_key& to) const noexcept;

    // Before: there is room. Where they throw nothing was begun.

    /// `bytes`: what the events take. Nobody can withdraw it.
    void append(event_stream_key to, stored_events what, std::size_t bytes, append_receiver told);
    /// Before: there is room to read.
    read_handle read(event_stream_key of, std::uint64_t from, std::size_t max_bytes, read_receiver told);

    /// Appends what is left of a stream that nobody has any more, which may be nothing: behind the append of it that is
    /// under way, if there is one. What finds no room, or fails, is lost, and the log told.
    void append_last(const event_stream_key& to, stored_events what, std::size_t bytes) noexcept;
    /// Does nothing where there is no room or no memory. What is left of its streams is not appended.
    void end_session(const std::string& session) noexcept;

    /// Tries again when there is room, before anybody else.
    void wait_for_room(waiter& one) noexcept { waiting_for_room_.push_back(one); }
    void wait_for_tick(waiter& one) noexcept { waiting_for_tick_.push_back(one); }
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
    void begin(const std::shared_ptr<call>& one, Work work);
    void begin_append(const std::shared_ptr<call>& one, stored_events what);
    void leave(const call& one) noexcept;
    void on_end(call& one, const std::exception_ptr& thrown, stored_events got) noexcept;
    void append_rest(call& behind, bool is_stored) noexcept;
    void serve_waiting() noexcept;
    call* find_append(const event_stream_key& to) const noexcept;
    std::shared_ptr<call> find_running() const noexcept;
    std::shared_ptr<call> find_late(clock::time_point now) const noexcept;
    void note_failure(const call& of, const std::exception_ptr& thrown) noexcept;
    void log_failure(const call& of, std::string_view line) noexcept;

    const boost::asio::any_io_executor executor_;
    const std::shared_ptr<event_store> store_;
    const std::shared_ptr<memory_budget> budget_;
    const log_hook log_;
    call_list calls_;
    std::size_t reads_ = 0; // of them
    waiting_list waiting_for_room_;
    waiting_list waiting_for_tick_;
    log_throttle failures_;
    log_throttle read_failures_; // which clients may cause
    log_throttle losses_;
    bool is_stopped_ = false;
};

} // namespace partyline::http
