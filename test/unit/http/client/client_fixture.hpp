#pragma once

#include "support/http_client.hpp"
#include "transport/socket/socket_channel.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::test {

/// The server's end of a connection, which says and does what a test tells it. Every wait is bounded.
class scripted_end {
public:
    using socket = boost::asio::generic::stream_protocol::socket;

    scripted_end(boost::asio::io_context& context, socket end) : context_(&context), socket_(std::move(end)) {}

    /// Waits until all that has come ends with this; says what that is, and forgets it.
    std::string read_until(std::string_view last);
    /// The next request, which has no body, or one that ends with `body`.
    std::string read_request(std::string_view body = "\r\n\r\n") { return read_until(body); }
    void say(std::string_view text);
    void close() { socket_.close(); }
    /// As if the machine were gone.
    void reset();
    /// The client has closed the connection, and nothing has come before.
    bool is_closed();

private:
    boost::asio::io_context* context_;
    socket socket_;
};

/// Both ends of a connection.
std::pair<socket_channel, scripted_end> connect_ends(boost::asio::io_context& context);

/// A server of which the test is the mind.
class scripted_server {
public:
    explicit scripted_server(boost::asio::io_context& context);
    std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    scripted_end accept();
    /// Whether somebody waits for `accept`, by now.
    bool is_asked();
    void stop() { acceptor_.close(); }

private:
    boost::asio::io_context* context_;
    boost::asio::ip::tcp::acceptor acceptor_;
};

/// A coroutine that runs, and can be cancelled. It goes on by itself where it is let go.
template <class T>
class started {
public:
    started(boost::asio::io_context& context, boost::asio::awaitable<T> work)
        : context_(&context), end_(std::make_shared<end>())
    {
        boost::asio::co_spawn(
            context, std::move(work),
            boost::asio::bind_cancellation_slot(end_->stop.slot(), [of = end_](std::exception_ptr failed, T value) {
                of->failed = failed;
                of->value.emplace(std::move(value));
            }));
    }

    bool is_done() const { return end_->value.has_value(); }
    void cancel() { end_->stop.emit(boost::asio::cancellation_type::all); }
    T get()
    {
        run_until(*context_, [this] { return is_done(); });
        if (end_->failed)
            std::rethrow_exception(end_->failed);
        return std::move(*end_->value);
    }
    /// What it has failed with; no code where it has not.
    boost::system::error_code failure()
    {
        try {
            get();
        } catch (const boost::system::system_error& e) {
            words = e.what();
            return e.code();
        }
        return {};
    }

    std::string words; // of the failure

private:
    struct end {
        boost::asio::cancellation_signal stop;
        std::exception_ptr failed;
        std::optional<T> value;
    };
    boost::asio::io_context* context_;
    std::shared_ptr<end> end_;
};

} // namespace partyline::test
