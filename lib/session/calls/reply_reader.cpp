#include "session/calls/reply_reader.hpp"

#include <boost/json/value.hpp>

#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline {
namespace {

response bad(error_code& failed, const char* reason)
{
    failed = errc::bad_reply;
    return response::failure{failed, reason};
}

std::optional<int> code_of(const json::value* code)
{
    const std::int64_t* const number = code ? code->if_int64() : nullptr;
    if (!number || *number < std::numeric_limits<int>::min() || *number > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*number);
}

response read_error(json_view text, error_code& failed)
{
    json::value value;
    try {
        value = text.to_value();
    } catch (const rpc_error&) {
        return bad(failed, "\"error\" has a number out of range, a lone surrogate, or names that collide");
    }
    json::object* const members = value.if_object();
    if (!members)
        return bad(failed, "\"error\" must be an object");
    const std::optional<int> code = code_of(members->if_contains("code"));
    if (!code)
        return bad(failed, "\"code\" of the error must be an integer");
    const json::value* const message = members->if_contains("message");
    if (!message || !message->is_string())
        return bad(failed, "\"message\" of the error must be a string");
    error_object error{*code, std::string(message->get_string()), std::nullopt};
    if (json::value* const data = members->if_contains("data"))
        error.data = std::move(*data);
    return error;
}

} // namespace

response read_reply(const message& m, error_code& failed)
{
    if (m.problem.what == defect::kind::too_deep || m.problem.what == defect::kind::batch_too_long) {
        failed = errc::message_too_large;
        return response::failure{failed, m.problem.reason};
    }
    if (m.problem.what != defect::kind::none)
        return bad(failed, m.problem.reason);
    return m.is_error ? read_error(m.outcome, failed) : response(json_text(m.outcome));
}

} // namespace partyline
