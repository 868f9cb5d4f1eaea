#include "gateway/http_call.hpp"

#include "http/wire/event_reader.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <stdexcept>

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::asio::ip::tcp;

namespace gateway {
namespace {

constexpr std::size_t longest_message = std::size_t(16) << 20;

} // namespace

struct http_call::state {
    state(asio::any_io_executor executor, const http_url& to) : url(to), socket(std::move(executor))
    {
        parser.body_limit(boost::none);
    }

    http_url url;
    tcp::socket socket;
    boost::beast::flat_buffer buffer;
    http::response_parser<http::buffer_body> parser;
    partyline::http::event_reader events{longest_message};
    answer_head head;
    std::string body; // of an answer that is no stream
    char room[16384];
    bool is_over = false;
};

http_call::http_call(asio::any_io_executor executor, const http_url& to)
    : state_(std::make_unique<state>(std::move(executor), to))
{
}

http_call::~http_call() = default;

asio::awaitable<answer_head> http_call::send(std::string method, field_list fields, std::string body)
{
    state& s = *state_;
    tcp::resolver resolver(s.socket.get_executor());
    const auto found = co_await resolver.async_resolve(s.url.name, s.url.port, asio::use_awaitable);
    co_await asio::async_connect(s.socket, found, asio::use_awaitable);
    boost::system::error_code ignored;
    s.socket.set_option(tcp::no_delay(true), ignored);
    http::request<http::string_body> request;
    request.method_string(method);
    request.target(s.url.target);
    request.set(http::field::host, s.url.host);
    for (const auto& [name, value] : fields)
        request.set(name, value);
    if (method == "POST") {
        request.body() = std::move(body);
        request.prepare_payload();
    }
    co_await http::async_write(s.socket, request, asio::use_awaitable);
    co_await http::async_read_header(s.socket, s.buffer, s.parser, asio::use_awaitable);
    const auto& came = s.parser.get();
    s.head.status = static_cast<int>(came.result_int());
    s.head.session_id = std::string(came["Mcp-Session-Id"]);
    s.head.is_event_stream = came[http::field::content_type].starts_with("text/event-stream");
    co_return s.head;
}

// False at the end of the answer.
asio::awaitable<bool> http_call::read_some()
{
    state& s = *state_;
    if (s.parser.is_done())
        co_return false;
    s.parser.get().body().data = s.room;
    s.parser.get().body().size = sizeof s.room;
    boost::system::error_code failed;
    co_await http::async_read_some(s.socket, s.buffer, s.parser, asio::redirect_error(asio::use_awaitable, failed));
    if (failed && failed != http::error::need_buffer)
        throw boost::system::system_error(failed);
    const std::string_view came(s.room, sizeof s.room - s.parser.get().body().size);
    if (s.head.is_event_stream)
        s.events.feed(came);
    else if ((s.body += came).size() > longest_message)
        throw std::length_error("the answer is longer than " + std::to_string(longest_message) + " bytes");
    co_return true;
}

asio::awaitable<std::optional<std::string>> http_call::next_message()
{
    state& s = *state_;
    while (true) {
        if (s.head.is_event_stream) {
            std::optional<partyline::http::server_event> next = s.events.next();
            if (next && next->type == "message") // others are no messages of MCP
                co_return std::move(next->data);
            if (next)
                continue;
        }
        const bool has_more = co_await read_some();
        if (!has_more)
            break;
    }
    if (s.body.empty())
        co_return std::nullopt;
    co_return std::exchange(s.body, {});
}

std::string http_call::last_event_id() const
{
    return state_->events.last_id();
}

std::optional<std::chrono::milliseconds> http_call::retry() const
{
    return state_->events.retry();
}

} // namespace gateway
