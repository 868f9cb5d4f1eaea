#pragma once

#include "support/http_client.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::test {

/// A frame as a server has sent it.
struct heard_frame {
    unsigned type = 0; // 0: the connection has ended instead
    std::string content = {};

    /// Of one that ends the conversation; 0 where it has none, or is another one.
    unsigned code() const;
};

/// A client of WebSocket that says whatever it is told to, on the thread that runs its server's context. Every wait is
/// bounded.
class websocket_client {
public:
    websocket_client(boost::asio::io_context& context, std::uint16_t port) : http_(context, port) {}

    /// Asks for the upgrade, with these fields besides those that it takes.
    http_response ask(std::string_view path, std::string_view fields = {});
    /// The same, and fails where it is refused.
    void open(std::string_view path, std::string_view fields = {});
    /// Sends bytes as they are.
    void send(std::string_view bytes) { http_.send(bytes); }
    void say(std::string_view text);
    heard_frame next();
    /// The content of the next frame, which has to be a text.
    std::string next_text();
    http_client& connection() noexcept { return http_; }

private:
    http_client http_;
};

} // namespace partyline::test
