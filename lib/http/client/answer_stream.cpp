#include "http/client/answer_stream.hpp"

#include "http/client/client_failure.hpp"
#include "http/wire/request_head.hpp"

#include <partyline/protocol/errc.hpp>

#include <stdexcept>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

std::string_view media_type(const received_head& head) noexcept
{
    std::string_view type = head.find("content-type");
    type = type.substr(0, type.find(';'));
    while (type.ends_with(' '))
        type.remove_suffix(1);
    return type;
}

} // namespace

bool has_messages(const received_head& head) noexcept
{
    const std::string_view type = media_type(head);
    return is_same_name(type.substr(0, 16), std::string_view("application/json").substr(0, type.size())) ||
           (type.size() == 17 && is_same_name(type, "text/event-stream"));
}

answer_stream::answer_stream(pooled_response& over, std::size_t most) : over_(over), most_(most), events_(most + 1024)
{
    const std::string_view type = media_type(over.head());
    is_event_stream_ = type.size() == 17 && is_same_name(type, "text/event-stream");
}

asio::awaitable<std::optional<std::string>> answer_stream::next()
{
    if (is_event_stream_)
        co_return co_await next_event();
    if (has_ended_)
        co_return std::nullopt;
    has_ended_ = true;
    std::string all = co_await over_.read_all(most_, no_time_limit);
    if (all.find_first_not_of(" \t\r\n") == all.npos)
        co_return std::nullopt;
    co_return all;
}

asio::awaitable<std::optional<std::string>> answer_stream::next_event()
{
    try {
        while (true) {
            if (std::optional<server_event> event = events_.next())
                co_return std::move(event->data);
            if (has_ended_)
                co_return std::nullopt;
            const std::string piece = co_await over_.read_some(no_time_limit);
            has_ended_ = piece.empty();
            events_.feed(piece);
        }
    } catch (const std::length_error& e) {
        fail(errc::message_too_large, e.what());
    }
}

} // namespace partyline::http
