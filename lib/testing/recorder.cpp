#include "testing/recorder.hpp"

#include <partyline/protocol/error.hpp>

#include <charconv>
#include <optional>
#include <utility>

namespace json = boost::json;

namespace partyline::test {
namespace {

template <class Map>
std::string list(const Map& methods)
{
    std::string text;
    for (const auto& [id, method] : methods) {
        if (text.size() > 500)
            return text + ", and others (" + std::to_string(methods.size()) + " in all)";
        text.append(text.empty() ? "\"" : ", \"").append(method).append("\"");
    }
    return text;
}

} // namespace

json::value value_or_text(json_view text)
{
    try {
        return text.to_value();
    } catch (const rpc_error&) {
        return json::string(text.text());
    }
}

void recorder::on_message(const message_event& event)
{
    const bool is_in = event.direction == message_direction::in;
    if (is_in && event.type == message_type::notification)
        on_notification(std::string(event.text));
    else if (is_in && event.type == message_type::request)
        asked_.insert_or_assign(std::string(event.id), std::string(event.method));
    else if (!is_in && event.type == message_type::reply)
        asked_.erase(std::string(event.id));
}

void recorder::on_notification(std::string text)
{
    const message& read = reader_.read(text); // a string of its own, since a NUL has to follow
    if (!record_progress(read))
        notifications.push_back({std::string(read.method), value_or_text(read.params)});
}

// False for what is no progress.
bool recorder::record_progress(const message& notification)
{
    if (notification.method != protocol.progress_method)
        return false;
    message_reader members{bounds_};
    const std::optional<told_progress> told = protocol.read_progress(notification.params, members);
    if (!told)
        return false;
    progress.push_back(
        {method_of_token(told->token), value_or_text(json_view::checked(told->token)), value_or_text(told->value)});
    return true;
}

std::string recorder::method_of_token(std::string_view token) const
{
    std::uint64_t id = 0;
    const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), id);
    const auto call = calls.find(id);
    const bool is_ours = problem == std::errc() && end == token.data() + token.size() && call != calls.end();
    return is_ours ? call->second : std::string();
}

std::string recorder::in_flight() const
{
    std::string text;
    if (!calls.empty())
        text += "; in flight: " + list(calls);
    if (!asked_.empty())
        text += "; the client has not answered the server's " + list(asked_);
    return text;
}

} // namespace partyline::test
