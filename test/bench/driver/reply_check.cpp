#include "reply_check.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

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

bool skip(std::string_view& text, std::string_view expected)
{
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

std::string request_name(std::uint64_t id)
{
    return "request " + std::to_string(id);
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
    if (is_plain_reply(message))
        return;
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

// The way in which most servers write a right answer is told from its text. Everything else is looked at as JSON.
bool reply_check::is_plain_reply(std::string_view message)
{
    if (code_ || requests_.like() != likeness::same || !skip(message, "{\"jsonrpc\":\"2.0\",\"id\":"))
        return false;
    std::uint64_t id = 0;
    const auto [end, failed] = std::from_chars(message.data(), message.data() + message.size(), id);
    if (failed != std::errc())
        return false;
    message.remove_prefix(static_cast<std::size_t>(end - message.data()));
    const auto index = requests_.ids().index_of(id);
    if (!index || !skip(message, ",\"result\":") || !skip(message, requests_.result(*index)) || message != "}")
        return false;
    mark(id);
    return true;
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

void check_same(const request_set& requests, const inbox& received)
{
    for (std::size_t i = 0; i < received.size(); ++i) {
        if (received[i] != requests.body(i))
            throw failure("message " + std::to_string(i) + " came back changed: " + quote(received[i]));
    }
}

void check_returned(const request_set& requests, const inbox& received)
{
    std::vector<std::string_view> sent;
    std::vector<std::string_view> back;
    for (std::size_t i = 0; i < requests.messages(); ++i)
        sent.push_back(requests.body(i));
    for (std::size_t i = 0; i < received.size(); ++i)
        back.push_back(received[i]);
    std::sort(sent.begin(), sent.end());
    std::sort(back.begin(), back.end());
    if (sent != back)
        throw failure("has not returned each request as it was sent");
}

} // namespace bench
