#include "answer_check.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace json = boost::json;

namespace partyline::test {
namespace {

// -1: there is no such whole number. MCP writes 1.0 for 1 where it has numbers of any kind.
std::int64_t number_in(const json::object& of, std::string_view name)
{
    const json::value* const member = of.if_contains(name);
    boost::system::error_code not_whole;
    const auto number = member ? member->to_number<std::int64_t>(not_whole) : -1;
    return not_whole ? -1 : number;
}

const json::object& object_in(const json::object& of, std::string_view name)
{
    static const json::object none;
    const json::value* const member = of.if_contains(name);
    return member && member->is_object() ? member->get_object() : none;
}

} // namespace

bool answer_check::take(std::string_view message)
{
    const std::uint64_t before = answered_;
    boost::system::error_code failed;
    const json::value value = json::parse(message, failed);
    if (failed || !is_right(value))
        throw std::runtime_error("not the answer to request " + std::to_string(expected_.first_id) + ": " +
                                 std::string(message.substr(0, 300)));
    return answered_ != before;
}

// A batch's replies come together, in any order.
bool answer_check::is_right(const json::value& message)
{
    if (!expected_.is_batch)
        return message.is_object() && (is_progress(message.get_object()) || is_reply(message.get_object()));
    if (!message.is_array() || message.get_array().size() != expected_.requests)
        return false;
    return std::all_of(message.get_array().begin(), message.get_array().end(),
                       [this](const json::value& each) { return each.is_object() && is_reply(each.get_object()); });
}

bool answer_check::is_told_progress() const noexcept
{
    using kind = expectation::kind;
    return expected_.what == kind::counted || expected_.what == kind::tool_steps || expected_.what == kind::endless;
}

// It goes up, and some of it may be left out.
bool answer_check::is_progress(const json::object& message)
{
    const json::object& params = object_in(message, "params");
    const bool is_mcp = expected_.what == expectation::kind::tool_steps;
    const std::int64_t value = number_in(params, is_mcp ? "progress" : "value");
    if (!message.contains("method") || !is_told_progress() || value <= last_progress_ ||
        number_in(params, is_mcp ? "progressToken" : "token") != static_cast<std::int64_t>(expected_.first_id) ||
        (expected_.what != expectation::kind::endless && value > expected_.counted))
        return false;
    last_progress_ = value;
    ++told_;
    return true;
}

bool answer_check::is_reply(const json::object& message)
{
    return message.size() == 3 && message.contains("jsonrpc") && is_own(message);
}

// Each request once.
bool answer_check::is_own(const json::object& reply)
{
    const std::uint64_t at = static_cast<std::uint64_t>(number_in(reply, "id")) - expected_.first_id;
    if (at >= expected_.requests || (answered_ >> at & 1) != 0)
        return false;
    answered_ |= std::uint64_t(1) << at;
    const json::value* const result = reply.if_contains("result");
    return result ? is_result(*result, expected_.first_id + at) : is_error(object_in(reply, "error"));
}

bool answer_check::is_result(const json::value& result, std::uint64_t id) const
{
    using kind = expectation::kind;
    if (result.is_object())
        return expected_.what == kind::counted ? number_in(result.get_object(), "counted") == expected_.counted
                                               : is_tool_result(result.get_object(), id);
    if (expected_.what != kind::echoed || !result.is_array())
        return false;
    const json::array& all = result.get_array();
    if (all.size() != (expected_.bytes == 0 ? 1U : 2U) || all[0] != json::value(id))
        return false;
    return all.size() == 1 || all[1] == json::value(std::string(expected_.bytes, letter_of(id)));
}

bool answer_check::is_tool_result(const json::object& result, std::uint64_t id) const
{
    using kind = expectation::kind;
    const bool is_text = expected_.what == kind::tool_text;
    const std::string text =
        is_text ? std::string(expected_.bytes, letter_of(id)) : std::to_string(expected_.counted) + " steps done";
    const json::object part{{"type", "text"}, {"text", text}};
    return (is_text || expected_.what == kind::tool_steps) && result == json::object{{"content", {part}}};
}

bool answer_check::is_error(const json::object& error)
{
    const std::int64_t code = number_in(error, "code");
    if (code == -32603 && expected_.may_fail && object_in(error, "data").contains("reason"))
        return ++failed_ != 0;
    return code == -32601 && expected_.what == expectation::kind::unknown_method;
}

} // namespace partyline::test
