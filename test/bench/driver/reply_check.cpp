#include "reply_check.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <cstdint>

namespace json = boost::json;

namespace bench {
namespace {

json::value parse(std::string_view message)
{
    boost::system::error_code failed;
    json::value parsed = json::parse(message, failed);
    if (failed)
        throw failure("said something that is not JSON: " + quote(message));
    return parsed;
}

std::string request_name(std::uint64_t id)
{
    return "request " + std::to_string(id);
}

// What tells one notification from the next: the value of progress, the index of a part, the one positional parameter
// of others.
const json::value* value_of(const json::object& notification)
{
    const json::value* params = notification.if_contains("params");
    if (!params || !notification.contains("method") || notification.contains("id"))
        return nullptr;
    if (const json::array* positional = params->if_array())
        return positional->if_contains(0);
    if (!params->is_object())
        return nullptr;
    const json::value* const index = params->get_object().if_contains("index");
    return index ? index : params->get_object().if_contains("value");
}

// They count up; the number they begin with is the server's affair.
void check_notifications(const inbox& received, std::size_t count)
{
    std::optional<std::int64_t> last;
    for (std::size_t i = 0; i < count; ++i) {
        const json::object notification = parse_object(received[i]);
        const json::value* value = value_of(notification);
        if (!value || !value->is_int64())
            throw failure("said something that is none of its notifications: " + quote(received[i]));
        if (last && value->get_int64() != *last + 1)
            throw failure("notification " + std::to_string(*last + 1) + " is missing before " + quote(received[i]));
        last = value->get_int64();
    }
}

} // namespace

json::object parse_object(std::string_view message)
{
    json::value parsed = parse(message);
    if (!parsed.is_object())
        throw failure("said something that is no reply: " + quote(message));
    return std::move(parsed.get_object());
}

void reply_check::note(std::string_view message)
{
    const json::value parsed = parse(message);
    const json::array alone{parsed};
    for (const json::value& reply : parsed.is_array() ? parsed.get_array() : alone) {
        if (!reply.is_object())
            throw failure("said something that is no reply: " + quote(message));
        note_reply(reply.get_object(), message);
    }
}

void reply_check::note_all(const inbox& received)
{
    for (std::size_t i = 0; i < received.size(); ++i)
        note(received[i]);
}

void reply_check::finish() const
{
    const auto missing = std::find(is_answered_.begin(), is_answered_.end(), false);
    if (missing != is_answered_.end())
        throw failure(request_name(requests_.ids()[static_cast<std::size_t>(missing - is_answered_.begin())]) +
                      " was not answered");
}

void reply_check::note_reply(const json::object& reply, std::string_view text)
{
    const json::value* version = reply.if_contains("jsonrpc");
    if (!version || *version != "2.0" || reply.contains("method") ||
        reply.contains("result") == reply.contains("error"))
        throw failure("said something that is no reply: " + quote(text));
    boost::system::error_code failed = json::error::not_number;
    const json::value* id = reply.if_contains("id");
    const auto number = id ? id->to_number<std::uint64_t>(failed) : 0;
    if (failed)
        throw failure("sent a reply without the id of a request: " + quote(text));
    const std::size_t index = mark(number);
    if (code_)
        check_error(index, reply);
    else
        check_result(index, reply);
}

void reply_check::check_result(std::size_t index, const json::object& reply) const
{
    const std::string name = request_name(requests_.ids()[index]);
    const json::value* result = reply.if_contains("result");
    if (!result)
        throw failure(name + " was answered with an error: " + quote(json::serialize(reply.at("error"))));
    const std::string_view expected = requests_.result(index);
    if (!is_like(*result, json::parse(expected), requests_.like()))
        throw failure(name + " was answered wrongly: " + quote(json::serialize(*result)) + ", expected " +
                      quote(expected));
}

void reply_check::check_error(std::size_t index, const json::object& reply) const
{
    const json::value* error = reply.if_contains("error");
    const json::value* code = error && error->is_object() ? error->get_object().if_contains("code") : nullptr;
    if (!code || *code != *code_)
        throw failure(request_name(requests_.ids()[index]) + " was answered wrongly: " + quote(json::serialize(reply)) +
                      ", expected error " + std::to_string(*code_));
}

std::size_t reply_check::mark(std::uint64_t id)
{
    const auto index = requests_.ids().index_of(id);
    if (!index)
        throw failure("answered " + request_name(id) + ", which nobody has sent");
    if (is_answered_[*index])
        throw failure(request_name(id) + " was answered twice");
    is_answered_[*index] = true;
    return *index;
}

void check_same(const request_set& requests, const inbox& received, bool in_order)
{
    std::vector<std::string_view> sent;
    std::vector<std::string_view> back;
    for (std::size_t i = 0; i < requests.messages(); ++i)
        sent.push_back(requests.body(i));
    for (std::size_t i = 0; i < received.size(); ++i)
        back.push_back(received[i]);
    if (!in_order) {
        std::sort(sent.begin(), sent.end());
        std::sort(back.begin(), back.end());
    }
    const auto [lost, other] = std::mismatch(sent.begin(), sent.end(), back.begin(), back.end());
    if (other != back.end())
        throw failure("a message came back changed: " + quote(*other));
    if (lost != sent.end())
        throw failure("a message did not come back: " + quote(*lost));
}

void check_notifying_call(const request_set& requests, inbox& received, std::size_t notifications)
{
    check_notifications(received, notifications);
    reply_check reply(requests);
    reply.note(received[notifications]);
    reply.finish();
    received.clear();
}

} // namespace bench
