#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/session/task.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace partyline {

class async_event;
class live_session;
class request_context;

/// What all members of a group are sent, written once.
struct broadcast_text {
    std::string method;
    json_text text; // of the params; empty where there are none

    call_params params() const { return text.empty() ? call_params() : call_params(text); }
    std::size_t bytes() const noexcept { return sizeof *this + method.size() + text.text().size(); }
};

using broadcast_ptr = std::shared_ptr<const broadcast_text>;

/// Writes the params. Throws `std::invalid_argument` for what is neither array, object nor null, or has no JSON text.
broadcast_ptr make_broadcast(std::string method, const call_params& params);

/// What all members of a group know.
struct group_facts {
    explicit group_facts(const session_group_options& how) noexcept : options(how) {}

    const session_group_options options;
    std::atomic<std::uint64_t> dropped = 0;
};

/// A member of a group, and what is queued for it.
///
/// Flow: `send()` from any thread, which wakes whoever delivers; that takes what there is with `front()` and `pop()`
/// until there is nothing more, on an executor of its own.
class group_member : public std::enable_shared_from_this<group_member> {
public:
    virtual ~group_member() = default;
    group_member(const group_member&) = delete;
    group_member& operator=(const group_member&) = delete;

    virtual bool is_open() const noexcept = 0;
    /// Null where it is no session.
    virtual std::shared_ptr<session_link> link() const noexcept { return nullptr; }

    /// Whether it is a request.
    virtual bool is_request() const noexcept { return false; }

    /// Queues it; false: there is no room. When it throws `std::bad_alloc`, it is not queued.
    bool send(const broadcast_ptr& what);
    /// Forgets what is queued.
    void clear() noexcept;

protected:
    explicit group_member(std::shared_ptr<group_facts> of);

    /// Has that delivered which is queued; false: the member has ended. Called under the lock.
    virtual bool wake() = 0;
    /// It is to be disconnected. Called under the lock, once unless it throws `std::bad_alloc`.
    virtual void give_up() {}

    /// Whether nothing is queued.
    bool is_empty() noexcept;
    /// The oldest; null where there is none: then the next one wakes again.
    broadcast_ptr front() noexcept;
    void pop() noexcept;
    /// Wakes again, for what is left. False: the member has ended, or there is no memory for that; the next one that is
    /// queued wakes it.
    bool wake_again() noexcept;

    // For members that are sessions.

    /// Passes on what is queued, on the session's executor, as far as there is room; the rest follows by `wake()`.
    void deliver(live_session& now);
    /// Passes on one notification. `goes_on_then`: the rest follows it.
    void pass_on(const broadcast_text& what, live_session& now, bool goes_on_then);
    /// Nothing is queued any more.
    virtual void on_empty(live_session&) {}
    /// One that was taken out will not be sent.
    virtual void on_unsent(error_code) noexcept { note_dropped(); }

    // For members that are requests.

    /// Sends what is queued where the request is served, until `try_finish()`. Throws where the request is cancelled.
    task<void> deliver_within(request_context& context, async_event& is_queued);
    /// Nothing is queued. True: nothing will be any more.
    virtual bool try_finish() noexcept { return false; }

    /// One has been taken out of the queue.
    virtual void on_taken() noexcept {}
    void note_dropped() noexcept { ++facts_->dropped; }
    /// Whether it reads too slowly, and is to be disconnected for it.
    bool is_given_up() const noexcept
    {
        return was_full_ && facts_->options.slow_consumers == slow_consumer::disconnect;
    }

private:
    static task<bool> notify_within(request_context& context, broadcast_ptr what);

    const std::shared_ptr<group_facts> facts_;
    std::mutex mutex_;
    std::deque<broadcast_ptr> queue_;
    std::size_t queued_bytes_ = 0;
    bool is_woken_ = false;
    std::atomic<bool> was_full_ = false;
};

} // namespace partyline
