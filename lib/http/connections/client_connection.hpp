#pragma once

#include "http/connections/client_request.hpp"
#include "http/connections/wait_ready.hpp"
#include "http/wire/body_reader.hpp"
#include "http/wire/response_reader.hpp"
#include "transport/socket/socket_channel.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace partyline::http {

/// One connection to a server, over which one request at a time is sent and its response read.
///
/// Flow: `send()`, then `read_some()` until that is empty; again where it `may_be_used_again()`. Destroying it closes
/// it in order. Thread safety: none; everything on the channel's executor, which is a strand or serial.
/// Cancellation: terminal, partial, total; at each wait, with operation_aborted. Then the connection is of no more use.
class client_connection {
public:
    client_connection(socket_channel channel, response_limits most);
    ~client_connection();
    client_connection(const client_connection&) = delete;
    client_connection& operator=(const client_connection&) = delete;

    /// Sends a request and waits for the head of the response; interim ones are skipped. A server may answer before it
    /// has read the request as a whole, which is not sent to its end then.
    ///
    /// Fails with       errc::timeout; errc::peer_closed: the server has closed the connection before the head was
    ///                  whole; errc::bad_reply: it is none; any transport error; std::invalid_argument before a byte is
    ///                  sent
    /// Lifetime         the connection stays until it is done
    boost::asio::awaitable<void> send(client_request request, time_limit until);
    /// Of the response to the last request, until the next one.
    const received_head& head() const noexcept { return heads_.head(); }
    /// The next piece of the body, without the chunks that it comes in; empty at its end.
    ///
    /// Fails with       as `send()`; errc::peer_closed within the body
    boost::asio::awaitable<std::string> read_some(time_limit until);

    /// Whether a byte of the last request may have reached the server: one that failed before may be sent again
    /// elsewhere.
    bool may_have_sent() const noexcept { return may_have_sent_; }
    /// The last response was read to its end, the server keeps the connection, and has neither closed it nor said
    /// anything since.
    bool may_be_used_again();
    /// Tells the server. Who waits gets operation_aborted.
    void close() noexcept;

    /// The connection itself, to be moved to another protocol: behind CONNECT, or status 101.
    socket_channel& channel() noexcept { return channel_; }
    /// What has come behind the head, and belongs to that protocol.
    std::string take_rest() noexcept { return std::move(rest_); }

private:
    /// What can be done without waiting: `wait` says that nothing more can.
    enum class progress : std::uint8_t { wait, done };

    void begin(const client_request& request);
    progress write();
    progress read_head();
    bool take_head();
    progress read_body(std::string& piece);
    progress receive(std::string& to);
    bool is_silent();

    socket_channel channel_;
    std::string unsent_;
    std::size_t sent_ = 0; // of it
    error_code write_failure_;
    bool may_have_sent_ = false;
    std::string come_; // the head, and what came with it
    std::string rest_; // behind the head
    bool has_ended_ = false;
    int pieces_in_a_row_ = 0; // of the body, without anybody else's turn
    response_reader heads_;
    body_reader body_;
};

} // namespace partyline::http
