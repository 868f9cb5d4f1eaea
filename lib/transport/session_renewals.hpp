#pragma once

#include "session/grant_renewal.hpp"
#include "transport/session_driver.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include <memory>
#include <utility>

namespace partyline {

/// A session whose peer's grant is renewed while it lasts.
class renewed_session : public boost::intrusive::list_base_hook<
                            boost::intrusive::link_mode<boost::intrusive::link_mode_type::auto_unlink>> {
public:
    renewed_session(std::shared_ptr<session_driver> its, grant_renewal grant) noexcept
        : its_(std::move(its)), grant_(std::move(grant))
    {
    }

    void renew(std::chrono::system_clock::time_point now) noexcept;
    void end_access() noexcept;

private:
    std::shared_ptr<session_driver> its_;
    grant_renewal grant_;
};

/// Renews the grants of sessions on one executor by one timer, which runs while there are any.
/// Thread safety: everything on the executor, a serial one.
class session_renewals : public std::enable_shared_from_this<session_renewals> {
public:
    explicit session_renewals(boost::asio::any_io_executor serial) : timer_(std::move(serial)) {}

    /// Until it is destroyed.
    void add(renewed_session& one);
    /// Nothing is renewed any more.
    void stop() { timer_.cancel(); }

private:
    using session_list = boost::intrusive::list<renewed_session, boost::intrusive::constant_time_size<false>>;

    void start_timer();
    void on_tick() noexcept;

    boost::asio::steady_timer timer_;
    session_list sessions_;
    bool is_ticking_ = false;
};

} // namespace partyline
