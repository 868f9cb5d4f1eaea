#include "gateway/http_call.hpp"

#include "http/client/connector.hpp"
#include "http/client_settings.hpp"
#include "http/wire/event_reader.hpp"

#include <stdexcept>

namespace asio = boost::asio;
namespace http = partyline::http;

namespace gateway {
namespace {

constexpr std::size_t longest_message = std::size_t(16) << 20;

} // namespace

struct http_call::state {
    state(asio::any_io_executor executor, const remote_address& to)
        : by(std::move(executor), to.to, http::connections_of(to.how))
    {
    }

    http::connector by;
    std::unique_ptr<http::client_connection> over;
    http::event_reader events{longest_message};
    answer_head head;
    std::string body; // of an answer that is no stream
};

http_call::http_call(asio::any_io_executor executor, const remote_address& to)
    : state_(std::make_unique<state>(std::move(executor), to))
{
}

http_call::~http_call() = default;

asio::awaitable<answer_head> http_call::send(std::string method, field_list fields, std::string body)
{
    state& s = *state_;
    http::client_request request;
    request.target = s.by.server().target;
    request.fields = std::move(fields);
    const auto& more = s.by.options().fields;
    request.fields.insert(request.fields.end(), more.begin(), more.end());
    if (method == "POST")
        request.body = std::move(body);
    request.method = std::move(method);
    s.by.address(request);
    s.over = co_await s.by.open(http::no_time_limit);
    co_await s.over->send(std::move(request), http::no_time_limit);
    const http::received_head& came = s.over->head();
    s.head.status = came.status;
    s.head.session_id = came.find("mcp-session-id");
    s.head.is_event_stream = came.find("content-type").starts_with("text/event-stream");
    co_return s.head;
}

// False at the end of the answer.
asio::awaitable<bool> http_call::read_some()
{
    state& s = *state_;
    const std::string came = co_await s.over->read_some(http::no_time_limit);
    if (s.head.is_event_stream)
        s.events.feed(came);
    else if ((s.body += came).size() > longest_message)
        throw std::length_error("the answer is longer than " + std::to_string(longest_message) + " bytes");
    co_return !came.empty();
}

asio::awaitable<std::optional<std::string>> http_call::next_message()
{
    state& s = *state_;
    while (true) {
        std::optional<http::server_event> next = s.events.next();
        if (next && next->type == "message") // others are no messages of MCP
            co_return std::move(next->data);
        if (next)
            continue;
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
