#include "transport/session_renewals.hpp"

#include "session/persistent_post.hpp"

#include <new>

namespace partyline {

// The next tick does it where there is no memory now.
void renewed_session::renew(std::chrono::system_clock::time_point now) noexcept
{
    try {
        grant_.renew(*its_, now);
    } catch (const std::bad_alloc&) {
    }
}

void renewed_session::end_access() noexcept
{
    try {
        its_->end_access();
    } catch (const std::bad_alloc&) { // nothing can be done about it
    }
}

void session_renewals::add(renewed_session& one)
{
    start_timer();
    sessions_.push_back(one);
}

void session_renewals::start_timer()
{
    if (is_ticking_)
        return;
    try_twice([this] {
        timer_.expires_after(renewal_interval);
        timer_.async_wait([self = weak_from_this()](error_code failed) {
            const auto all = self.lock();
            if (!all)
                return;
            all->is_ticking_ = false;
            if (!failed)
                all->on_tick();
        });
    });
    is_ticking_ = true;
}

// Without a timer no grant would be renewed again: then all access ends.
void session_renewals::on_tick() noexcept
{
    const auto now = std::chrono::system_clock::now();
    for (renewed_session& one : sessions_)
        one.renew(now);
    if (sessions_.empty())
        return;
    try {
        start_timer();
    } catch (const std::bad_alloc&) {
        for (renewed_session& one : sessions_)
            one.end_access();
    }
}

} // namespace partyline
