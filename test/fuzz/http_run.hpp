#pragma once

#include "http/serve/http_service.hpp"
#include "server/connection_service.hpp"
#include "support/unique_fd.hpp"

#include <partyline/http/server_options.hpp>
#include <partyline/session/handler.hpp>

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::test {

/// One connection of a server that has no others, over a pair of sockets, and its client. Nothing happens but in
/// `turn()` and `settle()`.
class http_run {
public:
    /// `/rpc` is served with these methods. `small_buffers`: the system keeps little of what is sent.
    http_run(http::server_options options, std::shared_ptr<const dispatcher> methods, bool small_buffers);
    ~http_run();

    void send(std::string_view bytes);
    /// Whether there was something.
    bool read();
    void end_input();
    void disconnect() { client_.reset(); }
    void drain();
    void stop() { served_->stop_at_once(); }

    /// Lets one thing happen, or all that can.
    void turn();
    void settle();
    /// The client reads all that it is sent, as it comes.
    void settle_reading();
    /// Lets the client go, and everything come to its end.
    void finish();

    const std::string& said() const { return said_; }
    bool is_at_end() const { return is_at_end_; }

private:
    void write();

    boost::asio::io_context context_{1};
    std::shared_ptr<http::http_service> core_;
    std::unique_ptr<served_connection> served_;
    unique_fd client_;
    std::string unsent_;
    std::string said_;
    std::size_t ends_ = 0; // how often the connection has said that it is over
    bool is_at_end_ = false;
    bool is_ending_ = false;
};

} // namespace partyline::test
