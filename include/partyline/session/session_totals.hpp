#pragma once

#include <partyline/config.hpp>
#include <partyline/session/session_counters.hpp>

#include <cstddef>
#include <list>
#include <mutex>

namespace partyline {

struct live_counters;

/// The sums of the counters of several sessions, for metrics: see `session_options::totals`. Sessions count by
/// themselves; their counters are read when the sums are asked for.
///
/// Lifetime: shared by the sessions that have it.
/// Thread safety: all of it, from any thread.
class PARTYLINE_EXPORT session_totals {
public:
    /// The sum over all sessions, also those that have ended: each number that counts from a session's beginning counts
    /// from the first session's here, and each number of the present state is a sum over the sessions that live.
    /// High-water marks (`peak_…`) are 0. Adding up takes time in proportion to the number of sessions, and none of
    /// them can begin or end meanwhile.
    session_counters sum() const;
    /// The number of sessions.
    std::size_t sessions() const;

    /// For sessions: the place of a session in the totals.
    using place = std::list<const live_counters*>::const_iterator;
    /// For sessions: adds a session; its counters live until `remove`. Throws `std::bad_alloc`.
    place add(const live_counters& one);
    /// For sessions: removes a session that ends; its counts are kept.
    void remove(place one) noexcept;

private:
    mutable std::mutex mutex_;
    std::list<const live_counters*> live_;
    session_counters ended_;
};

} // namespace partyline
