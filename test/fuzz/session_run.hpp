#pragma once

#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/io_context.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::test {

/// One session over a memory pair, and its peer. Nothing happens but in `turn()` and `settle()`, and no time passes:
/// what only a timer could bring about does not happen.
class session_run {
public:
    /// The session's table must be shared by no session that is still alive.
    session_run(std::shared_ptr<const dispatcher> methods, session_options options, std::size_t capacity);
    ~session_run();

    void send(std::string_view bytes);
    void end_input();
    void pause_reading() { is_paused_ = true; }
    void resume_reading();
    void stop();
    void drop_connection();
    void destroy_session();

    /// Lets one thing happen, or all that can.
    void turn();
    void settle();

    /// Lets the session come to its end, and then everything go that it has left.
    void finish();

    const std::string& said() const { return said_; }
    bool is_cut_off() const { return is_dropped_; }
    error_code result() const { return *result_; }

private:
    void read();
    void write();

    std::shared_ptr<const dispatcher> methods_;
    const long users_; // of the methods, without the session
    boost::asio::io_context context_{1};
    std::pair<memory_stream, memory_stream> ends_;
    memory_stream& peer_ = ends_.first;
    std::optional<session> session_;
    std::optional<error_code> result_;
    std::array<char, 4096> chunk_;
    std::string said_;
    std::string unsent_;
    std::string sending_;
    bool is_reading_ = false;
    bool is_paused_ = false;
    bool is_ending_ = false;
    bool is_dropped_ = false;
    bool is_at_end_ = false;
};

} // namespace partyline::test
