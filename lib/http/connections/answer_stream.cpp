#include "http/connections/answer_stream.hpp"

#include "http/connections/client_failure.hpp"
#include "http/wire/characters.hpp"
#include "http/wire/media.hpp"

#include <partyline/protocol/errc.hpp>

#include <stdexcept>

namespace asio = boost::asio;

namespace partyline::http {

bool is_encoded(const received_head& head)
{
    const std::string_view coding = head.find("content-encoding");
    return !coding.empty() && !is_name(coding, "identity");
}

bool has_events(const received_head& head)
{
    return is_event_stream_type(head.find("content-type")) && !is_encoded(head);
}

// Without a type, what comes is looked at.
bool has_messages(const received_head& head)
{
    const std::string_view type = head.find("content-type");
    return has_events(head) || ((type.empty() || is_json_type(type)) && !is_encoded(head));
}

answer_stream::answer_stream(pooled_response& over, std::size_t most) : over_(over), most_(most), events_(most + 1024)
{
    is_event_stream_ = has_events(over.head());
}

// The reader's own bound has room for the other fields of an event.
void answer_stream::check_size(const std::string& message) const
{
    if (message.size() > most_)
        fail(errc::message_too_large, "an event of " + std::to_string(message.size()) + " bytes");
}

asio::awaitable<std::optional<std::string>> answer_stream::next(time_limit until)
{
    if (is_event_stream_)
        co_return co_await next_event(until);
    if (has_ended_)
        co_return std::nullopt;
    has_ended_ = true;
    std::string all = co_await over_.read_all(most_, until);
    if (all.find_first_not_of(" \t\r\n") == all.npos)
        co_return std::nullopt;
    co_return all;
}

asio::awaitable<std::optional<std::string>> answer_stream::next_event(time_limit until)
{
    try {
        while (true) {
            std::optional<server_event> event = events_.next();
            if (event && event->type == "message") { // others are no messages
                check_size(event->data);
                co_return std::move(event->data);
            }
            if (event)
                continue;
            if (has_ended_)
                co_return std::nullopt;
            const std::string piece = co_await over_.read_some(until);
            has_ended_ = piece.empty();
            events_.feed(piece);
        }
    } catch (const std::length_error& e) {
        fail(errc::message_too_large, e.what());
    }
}

} // namespace partyline::http
