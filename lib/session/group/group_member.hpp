#pragma once

#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/session_group.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace partyline {

/// What all members of a group are told, written once.
struct broadcast_text {
    std::string method;
    json_text text; // of the params; empty where there are none

    call_params params() const { return text.empty() ? call_params() : call_params(text); }
    std::size_t bytes() const noexcept { return sizeof *this + method.size() + text.text().size(); }
};

using broadcast_ptr = std::shared_ptr<const broadcast_text>;

struct session_group::counters {
    std::atomic<std::uint64_t> missed = 0;
};

/// Somebody who is told what a group is told, and what is on its way there.
///
/// Flow: `tell()` from any thread, which wakes whoever delivers that; who then takes it with `look()` and `drop()`
/// until there is nothing more, on an executor of its own.
class session_group::member : public std::enable_shared_from_this<member> {
public:
    virtual ~member() = default;
    member(const member&) = delete;
    member& operator=(const member&) = delete;

    virtual bool is_open() const noexcept = 0;
    /// Null where it is no session.
    virtual std::shared_ptr<session_link> link() const noexcept { return nullptr; }

    /// When it throws `std::bad_alloc`, this is not on its way.
    void tell(const broadcast_ptr& what);
    /// Nothing is on its way any more.
    void forget() noexcept;

protected:
    member(const session_group_options& how, std::shared_ptr<counters> counted);

    /// Has that delivered which has been told; false: it has ended. Called under the lock.
    virtual bool wake() = 0;

    /// The oldest; null where there is none: then the next one wakes again.
    broadcast_ptr look() noexcept;
    void drop() noexcept;
    /// Wakes again, for what is left. Throws `std::bad_alloc`.
    void wake_again();
    /// Misses all that is on its way.
    void skip() noexcept;

    when_behind behind() const noexcept { return how_.behind; }
    /// Whether something was missed, since `tell()` had no room for it.
    bool has_missed() const noexcept { return has_missed_; }
    const std::shared_ptr<counters>& counted() const noexcept { return counters_; }

private:
    const session_group_options how_;
    const std::shared_ptr<counters> counters_;
    std::mutex mutex_;
    std::deque<broadcast_ptr> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool is_woken_ = false;
    std::atomic<bool> has_missed_ = false;
};

} // namespace partyline
