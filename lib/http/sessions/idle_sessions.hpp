#pragma once

#include "http/serve/origin_queue.hpp"
#include "http/sessions/mcp_session.hpp"

#include <boost/intrusive/list.hpp>

namespace partyline::http {

/// Sessions that nobody waits for, nor reads a stream of, and those that have ended: who leaves first where there is no
/// room.
///
/// Lifetime: who is in it leaves before it is destroyed.
/// Thread safety: none.
class idle_sessions {
public:
    /// From now on nobody waits for it, or it has ended. Where there is no memory for its origin, its age alone counts.
    void add(mcp_session& one) noexcept;
    void remove(mcp_session& one) noexcept;

    bool empty() const noexcept { return by_time_.empty(); }
    /// One that has ended, else the one that has been idle for longest. Before: somebody is there.
    mcp_session& oldest() noexcept { return by_time_.front(); }
    /// One that has ended, else of the origin that has most here the one that has been idle for longest: who begins one
    /// session after the other ends none of others.
    mcp_session& next_to_leave() noexcept;

private:
    boost::intrusive::list<mcp_session, boost::intrusive::constant_time_size<false>> by_time_;
    origin_queue by_origin_;
};

} // namespace partyline::http
