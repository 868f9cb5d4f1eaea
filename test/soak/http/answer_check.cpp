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

// -1: there is no such number.
std::int64_t number_in(const json::object& of, std::string_view name)
{
    const json::value* const member = of.if_contains(name);
    return member && member->is_int64() ? member->get_int64() : -1;
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

// It goes up, and some of it may be left out.
bool answer_check::is_progress(const json::object& message)
{
    const json::object& params = object_in(message, "params");
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(number_in(params, "value"), 0));
    if (!message.contains("method") || number_in(params, "token") != static_cast<std::int64_t>(expected_.first_id) ||
        value <= last_progress_ || (expected_.what == expectation::kind::counted && value > expected_.counted))
        return false;
    last_progress_ = value;
    ++told_;
    return expected_.what == expectation::kind::counted || expected_.what == expectation::kind::endless;
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
    if (expected_.what == expectation::kind::counted)
        return result.is_object() &&
               number_in(result.get_object(), "counted") == static_cast<std::int64_t>(expected_.counted);
    if (expected_.what != expectation::kind::echoed || !result.is_array())
        return false;
    const json::array& all = result.get_array();
    if (all.size() != (expected_.bytes == 0 ? 1U : 2U) || all[0] != json::value(id))
        return false;
    const std::string text(expected_.bytes, letter_of(id));
    return all.size() == 1 || (all[1].is_string() && all[1].get_string() == text);
}

bool answer_check::is_error(const json::object& error)
{
    const std::int64_t code = number_in(error, "code");
    if (code == -32603 && expected_.may_fail && object_in(error, "data").contains("reason"))
        return ++failed_ != 0;
    return code == -32601 && expected_.what == expectation::kind::unknown_method;
}

} // namespace partyline::test
