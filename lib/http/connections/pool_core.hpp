#pragma once

#include "http/connections/client_connection.hpp"
#include "http/connections/connector.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace partyline::http {

using shared_connection = std::shared_ptr<client_connection>;

/// The connections to one server: those in use, and those that wait for the next request. While there are any of the
/// latter, the executor has work to do: for as long as they are kept. There are as many as the options say, and a few
/// more for requests that `is_control`: calls may wait for these, so these don't wait for calls.
///
/// Thread safety: none; everything on one executor, which is a strand or serial.
class pool_core final : public std::enable_shared_from_this<pool_core> {
public:
    /// One of the connections that there may be. Whoever has it may open one, or take one that is idle.
    class place {
    public:
        place(std::shared_ptr<pool_core> of, bool is_control) noexcept : core_(std::move(of)), is_control_(is_control)
        {
        }
        place(place&&) noexcept = default;
        place& operator=(place&&) = delete;
        ~place();

        pool_core& core() const noexcept { return *core_; }

    private:
        std::shared_ptr<pool_core> core_;
        bool is_control_;
    };

    explicit pool_core(connector by);

    /// Waits until there is one, in the order in which those of the kind were asked for.
    boost::asio::awaitable<place> take_place(bool is_control, time_limit until);
    /// Null where none can be used again.
    shared_connection take_idle();
    boost::asio::awaitable<shared_connection> open(time_limit until);
    /// It is done with. Kept, where it may be used again.
    void give_back(shared_connection one) noexcept;
    /// Closes them all; who waits gets operation_aborted, and so does whoever comes later.
    void close() noexcept;

    const connector& by() const noexcept { return by_; }

private:
    struct waiter;
    struct idle_connection {
        shared_connection connection;
        time_limit until;
    };

    // The places of one kind, and who waits for one.
    struct places {
        std::size_t most;
        std::size_t taken = 0;
        std::list<waiter*> waiting = {};
    };

    places& places_for(bool is_control) noexcept { return is_control ? control_ : calls_; }
    void free_place(bool is_control) noexcept;
    void check_open() const;
    void start_idle_timer();
    void drop_idle();

    connector by_;
    places calls_;
    places control_;
    std::vector<std::weak_ptr<client_connection>> opened_; // some may have gone
    std::deque<idle_connection> idle_;                     // the last one was used last
    boost::asio::steady_timer idle_timer_;
    bool is_closed_ = false;
};

} // namespace partyline::http
