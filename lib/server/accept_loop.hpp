#pragma once

#include "async/keep_running.hpp"
#include "server/accept_log.hpp"
#include "server/connection_service.hpp"
#include "server/server_threads.hpp"
#include "transport/socket/address_count.hpp"
#include "transport/socket/listener.hpp"

#include <partyline/config.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace partyline {

/// Accepts connections, and has each of them served: what a `server` is behind its handle.
///
/// Flow: every listener waits for a connection, unless there is no room for one; whatever makes room lets all of them
/// wait again. A connection's end is one such event, the end of a pause after a failed accept the other.
/// Thread safety: everything on the strand, but for what says otherwise.
class PARTYLINE_EXPORT accept_loop : public std::enable_shared_from_this<accept_loop> {
public:
    using completion = boost::asio::any_completion_handler<void(error_code)>;
    enum class ending { in_order, at_once };

    /// How many connections there may be: see `server_options`.
    struct bounds {
        std::size_t connections;
        std::optional<std::size_t> per_address;
    };

    /// Connections are accepted for use on each of `threads` in turn; everything here happens on `strand`, which is one
    /// of the first executor, or itself where that is serial. `log` tells what nobody else would hear of.
    accept_loop(std::unique_ptr<server_threads> threads, boost::asio::any_io_executor strand, bounds most,
                std::shared_ptr<connection_service> service, accept_log::line_writer log);
    ~accept_loop();

    // From any thread.
    boost::asio::any_io_executor get_executor() const { return threads_->executor(0); }
    void add(std::unique_ptr<listener> one);
    void start(completion done);
    void end(ending how);
    /// Ends in order after so long, in which the service knows that it is in lame duck.
    void end_after(std::chrono::steady_clock::duration lame_duck);
    std::size_t connections() const noexcept { return connections_; }

private:
    struct connection {
        std::unique_ptr<served_connection> served;
        std::optional<ip_endpoint> address; // that it is counted by
    };
    using connection_place = std::list<connection>::iterator;
    struct source {
        std::unique_ptr<listener> from;
        bool is_waiting = false;
    };

    void on_start(completion done);
    void on_end(ending how);
    void on_lame_duck(std::chrono::steady_clock::duration time);
    void stop_listening() noexcept;
    void accept_rest(listener& at) noexcept;
    void resume();
    void wait_at(const std::shared_ptr<source>& at);
    void on_ready(const std::shared_ptr<source>& at);
    void give_way(const std::shared_ptr<source>& one);
    void pause(const listener& at, const error_code& failed) noexcept;
    error_code accept_some(const std::shared_ptr<source>& at);
    void take(listener::connection accepted) noexcept;
    void serve(connection_place which, listener::connection accepted);
    bool count_address(connection& one, const std::optional<ip_endpoint>& from);
    std::list<connection> forget(connection_place which) noexcept;
    void tell_end(served_connection& gone, const error_code& why) noexcept;
    void on_connection_end(connection_place which, error_code why);
    void complete_if_over();

    const std::unique_ptr<server_threads> threads_; // of the connections
    std::size_t next_thread_ = 0;                   // for the next connection
    boost::asio::any_io_executor strand_;
    const std::size_t most_;
    std::shared_ptr<connection_service> service_;
    accept_log::line_writer write_log_;
    keep_running life_; // until the end
    boost::asio::steady_timer pause_;
    boost::asio::steady_timer lame_duck_;
    std::vector<std::shared_ptr<source>> sources_;
    std::list<connection> served_;
    std::mutex counting_; // of what connections tell of themselves: which addresses there are
    address_count addresses_;
    std::atomic<std::size_t> connections_ = 0;
    accept_log log_;
    std::optional<completion> done_;
    std::optional<ending> ending_;
    bool has_started_ = false;
    bool is_pausing_ = false;
    bool is_lame_duck_ = false;
};

} // namespace partyline
