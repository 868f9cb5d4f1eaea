#pragma once

#include "protocol/framing/spare_buffers.hpp"
#include "session/budget_share.hpp"
#include "session/live_counters.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/framing.hpp>
#include <partyline/protocol/limits.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace partyline {

/// What is to be sent, in order, and the measure of how far the peer is behind.
///
/// Flow: an `outbox::message`, its text written, `commit()`; one that is not committed is taken back as a whole. The
/// transport sends what `unsent()` shows, as much as goes, and says `sent()`. Results that wait for the rest of their
/// batch are told by `hold()` and `release()`, replies that wait for room by `keep()` and `drop_kept()`.
///
/// The marks count what the peer has not taken. Held results count with it, but alone they never make it full: the peer
/// could do nothing about that. Kept replies have a budget of their own, as large as the cap: see `limits`.
class PARTYLINE_EXPORT outbox {
public:
    class message;

    /// How much may wait: see `limits::outbox_soft_bytes` and `limits::outbox_hard_bytes`.
    struct marks {
        std::size_t soft;
        std::size_t hard;
    };

    /// All live longer. `shared` may be null.
    outbox(message_bracket& frames, marks at, live_counters& counts, memory_budget* shared = nullptr) noexcept
        : frames_(&frames), counts_(counts), share_(shared), cap_(at.hard), full_(cap_ - std::min(reserve, cap_ / 4)),
          soft_(std::min(at.soft, full_))
    {
    }
    virtual ~outbox() { shrink(size_); }
    outbox(const outbox&) = delete;
    outbox& operator=(const outbox&) = delete;

    /// The next bytes to send; they stay where they are until `sent()`, whatever is committed meanwhile. Empty when
    /// there are none.
    std::string_view unsent();
    void sent(std::size_t count);
    bool empty() const noexcept { return queued() == 0; }
    std::size_t unsent_bytes() const noexcept { return queued(); }
    /// Keeps no memory where nothing is to be sent; other sessions of this thread write into it then.
    void release_memory() noexcept;
    /// The length of the longest message that was committed since this was asked last.
    std::size_t take_longest() noexcept { return std::exchange(longest_, 0); }

    /// Appends what is no message, between two of them: it goes out whole or not at all, too.
    template <class Write>
    void append(Write write)
    {
        if (is_open_ || is_dropped_)
            return;
        const std::size_t before = bytes_.size();
        write(bytes_);
        grow(bytes_.size() - before);
    }

    void hold(std::size_t count) noexcept;
    void release(std::size_t count) noexcept;
    void keep(std::size_t count) noexcept;
    void drop_kept(std::size_t count) noexcept;

    /// Handlers that say more than replies are to wait.
    bool is_above_soft() const noexcept { return is_over(soft_); }
    /// Replies are to wait, and nothing new is to start. What is left is reserved for what the session itself says.
    bool is_full() const noexcept { return is_over(full_) || (share_.is_used_up() && queued() != 0 && !is_dropped_); }
    /// What the session says of its own accord is to wait: calls and notifications that answer nothing.
    bool is_behind() const noexcept { return is_above_soft() || is_full(); }
    /// How much a budget that is shared with other sessions leaves for one message more.
    std::size_t left_by_others() const noexcept { return std::max(share_.left(), memory_budget::always); }
    /// Nothing more is to be said at all. What is reserved is so whatever the length of the message that made it full:
    /// two sessions that each owe the other a long reply must still be able to read, and to refuse, what the other
    /// asks.
    bool is_at_cap() const noexcept { return is_over(cap_ + excess_); }
    /// How much may wait in all.
    std::size_t cap() const noexcept { return cap_; }
    std::size_t held() const noexcept { return held_; }
    std::size_t kept() const noexcept { return kept_; }
    /// Whether batches hold as much as there may be in all.
    bool is_held_full() const noexcept { return held_ >= cap_; }
    /// Nobody reads it: what is committed is for nobody.
    bool is_dropped() const noexcept { return is_dropped_; }

protected:
    /// From now on `on_commit()` is called.
    void watch_commits() noexcept { is_watched_ = true; }
    /// What is not being sent is for nobody, now and from now on.
    void drop() noexcept;
    /// Nor is anything being sent any more, and the brackets need not live any longer.
    void drop_all() noexcept;

private:
    /// A message has been committed.
    virtual void on_commit() noexcept {}

    std::size_t queued() const noexcept { return bytes_.size() + sending_.size() - sent_; }
    bool is_over(std::size_t mark) const noexcept
    {
        const std::size_t count = queued();
        return count + held_ >= mark && count != 0 && !is_dropped_;
    }
    void begin()
    {
        if (is_open_)
            throw std::logic_error("a message hook may not have the session send anything");
        if (bytes_.capacity() == 0) [[unlikely]]
            bytes_ = detail::take_spare_buffer(detail::spare_use::writing);
        frame_start_ = bytes_.size();
        frames_->begin_message(bytes_);
        text_start_ = bytes_.size();
        is_open_ = true;
    }
    void commit();
    void discard() noexcept
    {
        bytes_.truncate(frame_start_);
        is_open_ = false;
    }
    void note_excess() noexcept;
    void grow(std::size_t count) noexcept
    {
        size_ += count;
        counts_.outbox_bytes.add(count);
        share_.set(size_);
    }
    void shrink(std::size_t count) noexcept
    {
        size_ -= count;
        counts_.outbox_bytes.sub(count);
        share_.set(size_);
    }

    // Enough for thousands of errors with the longest ids; less where the cap itself is small.
    static constexpr std::size_t reserve = std::size_t(4) << 20;

    message_bracket* frames_;
    live_counters& counts_;
    budget_share share_;
    const std::size_t cap_;
    const std::size_t full_;
    const std::size_t soft_;
    byte_buffer bytes_;    // committed, behind those being sent
    byte_buffer sending_;  // nothing is appended to these
    std::size_t sent_ = 0; // of those
    std::size_t held_ = 0;
    std::size_t kept_ = 0;
    std::size_t size_ = 0;   // all of it: queued, held, kept
    std::size_t excess_ = 0; // of the message that made it full, beyond that mark
    std::size_t longest_ = 0;
    std::size_t frame_start_ = 0;
    std::size_t text_start_ = 0;
    bool is_open_ = false; // a message is being written
    bool is_watched_ = false;
    bool is_dropped_ = false; // nobody reads it: it is never in the way
};

/// One message while it is written, at the end of the outbox. It goes out whole or not at all: what is not committed,
/// also because something was thrown meanwhile, is taken back. One at a time.
class PARTYLINE_EXPORT outbox::message {
public:
    explicit message(outbox& box) : box_(box) { box_.begin(); }
    ~message()
    {
        if (!is_committed_)
            box_.discard();
    }
    message(const message&) = delete;
    message& operator=(const message&) = delete;

    /// Where it is to be written, behind what is there.
    byte_buffer& buffer() noexcept { return box_.bytes_; }
    /// As it stands, without its frame.
    std::string_view text() const noexcept { return box_.bytes_.view().substr(box_.text_start_); }
    void commit()
    {
        box_.commit();
        is_committed_ = true;
    }

private:
    outbox& box_;
    bool is_committed_ = false;
};

} // namespace partyline
