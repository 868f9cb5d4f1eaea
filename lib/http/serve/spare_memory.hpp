#pragma once

#include <partyline/session/memory_budget.hpp>

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstddef>

namespace partyline::http {

/// What a server keeps only in case a client comes back for it. Nobody waits for it, so it is never the reason why
/// something is refused: it takes what the budget leaves, an eighth of the whole at most, and is not counted in
/// `memory_budget::used()`. What there is no room for is forgotten: what is complete before what is not, the oldest
/// first.
///
/// Flow: each entry says what it keeps with `keep()`; `trim()` where others may have taken memory.
/// Lifetime: outlives its entries.
class spare_memory {
public:
    using clock = std::chrono::steady_clock;

    class entry : public boost::intrusive::list_base_hook<> {
    public:
        explicit entry(spare_memory& in) noexcept : memory_(in) {}
        virtual ~entry() { memory_.leave(*this); }
        entry(const entry&) = delete;
        entry& operator=(const entry&) = delete;

    protected:
        /// So many bytes are kept here from `now` on; 0: none. More than there is room for are forgotten before this
        /// returns.
        void keep(std::size_t bytes, bool is_complete, clock::time_point now) noexcept
        {
            memory_.set(*this, bytes, is_complete, now);
        }

    private:
        friend class spare_memory;
        /// Lets go of all that is kept. The entry may be destroyed by this.
        virtual void forget() noexcept = 0;

        spare_memory& memory_;
        std::size_t bytes_ = 0;
        bool is_complete_ = false;
        clock::time_point since_;
    };

    /// Null: there is no bound.
    explicit spare_memory(const memory_budget* whole) noexcept : whole_(whole) {}

    /// Forgets what there is no room for any more.
    void trim() noexcept
    {
        if (bytes_ != 0 && whole_)
            fit();
    }
    /// Forgets what has been complete for so long.
    void forget_older(clock::duration age, clock::time_point now) noexcept;
    std::size_t bytes() const noexcept { return bytes_; }

private:
    using list = boost::intrusive::list<entry, boost::intrusive::constant_time_size<false>>;

    list& list_of(const entry& one) noexcept { return one.is_complete_ ? complete_ : open_; }
    void set(entry& one, std::size_t bytes, bool is_complete, clock::time_point now) noexcept;
    void leave(entry& one) noexcept;
    void forget(entry& one) noexcept;
    void fit() noexcept;

    const memory_budget* const whole_;
    std::size_t bytes_ = 0;
    bool is_fitting_ = false;
    list complete_; // from the oldest
    list open_;
};

} // namespace partyline::http
