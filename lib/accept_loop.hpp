#pragma once

#include "accept_log.hpp"
#include "transport/socket/address_count.hpp"
#include "transport/socket/listener.hpp"

#include <partyline/server.hpp>
#include <partyline/session.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline {

/// What a `server` is behind its handle.
///
/// Flow: every listener waits for a connection, unless there is no room for one; whatever makes room lets all of them
/// wait again. A session's end is one such event, the end of a pause after a failed accept the other.
/// Thread safety: everything on the strand, but for what says otherwise.
class accept_loop : public std::enable_shared_from_this<accept_loop> {
public:
    using completion = boost::asio::any_completion_handler<void(error_code)>;
    enum class ending { in_order, at_once };

    accept_loop(boost::asio::any_io_executor executor, std::shared_ptr<const dispatcher> methods,
                server_options options);

    // From any thread.
    boost::asio::any_io_executor get_executor() const { return executor_; }
    void add(std::unique_ptr<listener> one);
    void start(completion done);
    void end(ending how);
    std::size_t connections() const noexcept { return connections_; }

private:
    struct connection {
        session one;
        std::optional<boost::asio::ip::tcp::endpoint> address; // of a TCP peer
    };
    using connection_place = std::list<connection>::iterator;
    struct source {
        std::unique_ptr<listener> from;
        bool is_waiting = false;
    };

    void on_start(completion done);
    void on_end(ending how);
    void resume();
    void wait_at(const std::shared_ptr<source>& at);
    void on_ready(const std::shared_ptr<source>& at);
    void give_way(const std::shared_ptr<source>& one);
    void pause(const listener& at, const error_code& failed) noexcept;
    error_code accept_some(const std::shared_ptr<source>& at);
    void take(listener::connection accepted) noexcept;
    void adopt(listener::connection accepted);
    bool count_address(const listener::connection& accepted);
    void tell_end(const session_counters& counters, const error_code& why) noexcept;
    void on_session_end(connection_place which, error_code why);
    void complete_if_over();

    boost::asio::any_io_executor executor_; // of the sessions
    boost::asio::any_io_executor strand_;
    std::shared_ptr<const dispatcher> methods_;
    server_options options_;
    boost::asio::steady_timer life_; // waits for ever: what keeps all this alive, and `run()` running, until the end
    boost::asio::steady_timer pause_;
    std::vector<std::shared_ptr<source>> sources_;
    std::list<connection> sessions_;
    address_count addresses_;
    std::atomic<std::size_t> connections_ = 0;
    accept_log log_;
    std::optional<completion> done_;
    std::optional<ending> ending_;
    bool has_started_ = false;
    bool is_pausing_ = false;
};

} // namespace partyline
