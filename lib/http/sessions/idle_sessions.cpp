#include "http/sessions/idle_sessions.hpp"

#include <new>

namespace partyline::http {

void idle_sessions::add(mcp_session& one) noexcept
{
    if (one.has_ended()) {
        by_time_.push_front(one);
        return;
    }
    by_time_.push_back(one);
    try {
        by_origin_.add(one, one.origin());
    } catch (const std::bad_alloc&) {
    }
}

void idle_sessions::remove(mcp_session& one) noexcept
{
    by_time_.erase(by_time_.iterator_to(one));
    by_origin_.remove(one);
}

mcp_session& idle_sessions::next_to_leave() noexcept
{
    if (oldest().has_ended() || by_origin_.size() == 0)
        return oldest();
    return static_cast<mcp_session&>(by_origin_.next_to_leave());
}

} // namespace partyline::http
