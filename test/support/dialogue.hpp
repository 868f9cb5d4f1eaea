#pragma once

#include "support/connection.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// Something that a handler waits for and the test lets happen.
class gate {
public:
    explicit gate(boost::asio::io_context& context) : timer_(context, boost::asio::steady_timer::time_point::max()) {}

    boost::asio::awaitable<void> wait();
    void open();
    /// How many handlers have come to it.
    int arrivals = 0;

private:
    boost::asio::steady_timer timer_;
    bool is_open_ = false;
};

/// A session on one end of a connection (a memory pair unless told), and the peer that the test plays, line by line, on
/// the other. Everything happens in the calls of this class, on the calling thread.
class dialogue {
public:
    explicit dialogue(connection::kind what = connection::kind::memory);
    ~dialogue();

    boost::asio::io_context context{1};
    method_table methods;
    /// What is served in place of `methods`; null: those.
    std::shared_ptr<const dispatcher> other_methods;
    session_options options;
    /// What goes wrong with the session's stream; null: nothing. What it holds up goes on when nothing else can run.
    std::shared_ptr<fault_plan> faults;
    std::vector<std::string> logged;

    /// Starts the session, with `methods` and `options` as they are by then. Called by whatever needs it.
    void start();
    session& server();
    void destroy_session() { session_.reset(); }
    /// Whether the methods that the session was started with are still in use.
    bool holds_methods() const { return !used_methods_.expired(); }

    void send(std::string_view line);
    void end_input();

    /// The next line that the session says. Fails the test when it says none.
    std::string receive();
    void expect(std::string_view line);
    /// The next lines, in any order.
    void expect_in_any_order(std::vector<std::string> lines);
    /// All lines that are there and were not received.
    std::vector<std::string> take_lines();
    /// Runs everything that can run, and expects the session to have nothing to say.
    void expect_silence();

    /// Runs until `async_run` has completed.
    error_code wait_end();
    bool has_ended() const { return result_.has_value(); }

    void run_until(const std::function<bool()>& done);
    /// The same, but that it never comes to pass is no failure: false when nothing is left to happen, or after 20 s.
    bool try_run_until(const std::function<bool()>& done);
    /// Runs everything that can run without waiting.
    void settle();

    /// The peer leaves what the session says unread, but for one more chunk; and goes on.
    void stop_reading() { is_reading_wanted_ = false; }
    void resume_reading();

    /// What happened to the connection, as the peer sees it: the session has closed it.
    bool is_closed() const { return is_closed_; }
    void close_connection() { connection_->close(); }

    /// Every line that the session has said, also those that were received, and what it has begun.
    const std::vector<std::string>& heard() const { return heard_; }
    const std::string& heard_in_part() const { return unread_; }

private:
    void read();
    void write();

    std::unique_ptr<connection> connection_;
    std::weak_ptr<const dispatcher> used_methods_;
    std::optional<session> session_;
    std::optional<error_code> result_;
    std::array<char, 4096> chunk_;
    std::string unread_;
    std::deque<std::string> lines_;
    std::vector<std::string> heard_;
    std::string unsent_;
    std::string sending_;
    bool has_started_ = false;
    bool is_unheard_ = false; // a write has failed; Asio may leave a further one to a socket waiting for ever
    bool is_ending_ = false;
    bool is_reading_ = false;
    bool is_reading_wanted_ = true;
    bool is_closed_ = false;
};

/// The text of a request; `params` is left out when empty.
std::string request(std::string_view id, std::string_view method, std::string_view params = {});
std::string notification(std::string_view method, std::string_view params = {});
std::string progress(std::string_view token, std::string_view value);
std::string cancel(std::string_view id);
std::string result(std::string_view id, std::string_view value);
/// What answers a cancelled request; no `data` without a reason.
std::string cancelled(std::string_view id, std::string_view reason = {});

} // namespace partyline::test
