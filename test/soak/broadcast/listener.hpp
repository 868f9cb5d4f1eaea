#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::test {

/// How a listener is connected.
enum class stream_kind { websocket, events };

/// Somebody who is told: a session over WebSocket, or one of MCP with its event stream.
class listener : public std::enable_shared_from_this<listener> {
public:
    /// `heard`: told of each round that is heard of, and when that was sent, in nanoseconds of the steady clock.
    listener(boost::asio::any_io_executor executor, stream_kind how,
             std::function<void(std::uint64_t round, std::uint64_t sent_at)> heard);

    /// Connects, and comes to where it is told.
    boost::asio::awaitable<void> open(std::uint16_t port);
    /// Reads from now on.
    void listen();
    std::size_t heard() const noexcept { return count_; }

private:
    boost::asio::awaitable<void> open_websocket();
    boost::asio::awaitable<void> open_events();
    boost::asio::awaitable<std::string> exchange(std::string request);
    boost::asio::awaitable<void> read();
    void take(std::string_view bytes);

    boost::asio::ip::tcp::socket socket_;
    const stream_kind how_;
    const std::function<void(std::uint64_t, std::uint64_t)> on_heard_;
    std::string text_; // that has been read, and not looked at
    std::size_t count_ = 0;
};

} // namespace partyline::test
