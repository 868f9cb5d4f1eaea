#include "broadcast/listener.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
using boost::asio::use_awaitable;

namespace partyline::test {
namespace {

const std::string host = "Host: localhost\r\n";

std::string post(const std::string& body, const std::string& session)
{
    return "POST /mcp HTTP/1.1\r\n" + host +
           "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" + session +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// The value of a field of a head, whose names are written as the server does.
std::string field(const std::string& head, const std::string& name)
{
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == head.npos)
        return {};
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

void require_status(const std::string& head, std::string_view status)
{
    if (head.compare(0, 9, "HTTP/1.1 ") != 0 || head.compare(9, status.size(), status) != 0)
        throw std::runtime_error("the server answered: " + head.substr(0, 300));
}

} // namespace

listener::listener(asio::any_io_executor executor, stream_kind how,
                   std::function<void(std::uint64_t, std::uint64_t)> heard)
    : socket_(std::move(executor)), how_(how), on_heard_(std::move(heard))
{
}

asio::awaitable<void> listener::open(std::uint16_t port)
{
    const asio::ip::tcp::endpoint server(asio::ip::address_v4::loopback(), port);
    co_await socket_.async_connect(server, use_awaitable);
    if (how_ == stream_kind::websocket)
        co_await open_websocket();
    else
        co_await open_events();
}

// The head that answers, and what follows stays in `text_`.
asio::awaitable<std::string> listener::exchange(std::string request)
{
    co_await asio::async_write(socket_, asio::buffer(request), use_awaitable);
    const std::size_t size =
        co_await asio::async_read_until(socket_, asio::dynamic_buffer(text_), "\r\n\r\n", use_awaitable);
    std::string head = text_.substr(0, size);
    text_.erase(0, size);
    const std::string length = field(head, "Content-Length");
    const std::size_t body = length.empty() ? 0 : std::stoul(length);
    if (body > text_.size()) {
        const std::size_t missing = body - text_.size();
        co_await asio::async_read(socket_, asio::dynamic_buffer(text_), asio::transfer_exactly(missing), use_awaitable);
    }
    text_.erase(0, body);
    co_return head;
}

asio::awaitable<void> listener::open_websocket()
{
    std::string request = "GET /ws HTTP/1.1\r\n" + host +
                          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const std::string head = co_await exchange(std::move(request));
    require_status(head, "101");
}

asio::awaitable<void> listener::open_events()
{
    std::string greeting =
        post(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
             R"("capabilities":{},"clientInfo":{"name":"listener","version":"1"}}})",
             {});
    const std::string begun = co_await exchange(std::move(greeting));
    require_status(begun, "200");
    const std::string session = "Mcp-Session-Id: " + field(begun, "Mcp-Session-Id") + "\r\n";
    std::string ready = post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
    const std::string taken = co_await exchange(std::move(ready));
    require_status(taken, "202");
    std::string request = "GET /mcp HTTP/1.1\r\n" + host + "Accept: text/event-stream\r\n" + session + "\r\n";
    const std::string opened = co_await exchange(std::move(request));
    require_status(opened, "200");
}

void listener::listen()
{
    asio::co_spawn(socket_.get_executor(), [self = shared_from_this()] { return self->read(); }, asio::detached);
}

asio::awaitable<void> listener::read()
{
    std::array<char, 16384> room;
    for (;;) {
        const std::size_t count = co_await socket_.async_read_some(asio::buffer(room), use_awaitable);
        take(std::string_view(room.data(), count));
    }
}

// Whatever is around it, a notification has "at":[round,time].
void listener::take(std::string_view bytes)
{
    static constexpr std::string_view mark = "\"at\":[";
    text_.append(bytes);
    std::size_t done = 0;
    for (std::size_t at; (at = text_.find(mark, done)) != text_.npos;) {
        const std::size_t end = text_.find(']', at);
        if (end == text_.npos)
            break;
        std::size_t length = 0;
        const std::uint64_t round = std::stoull(text_.substr(at + mark.size(), 40), &length);
        ++count_;
        on_heard_(round, std::stoull(text_.substr(at + mark.size() + length + 1, 40)));
        done = end;
    }
    const std::size_t rest = text_.find(mark, done);
    text_.erase(0, rest != text_.npos ? rest : std::max(done, text_.size() - std::min(text_.size(), mark.size())));
}

} // namespace partyline::test
