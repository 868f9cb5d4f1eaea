#include "fleet/front/refusal.hpp"

#include "fleet/front/counted_outcome.hpp"

#include <boost/json/object.hpp>

#include <string_view>

namespace partyline::fleet {
namespace {

namespace json = boost::json;

error_object made(int code, std::string_view message, std::string_view name, std::string_view value)
{
    error_object error;
    error.code = code;
    error.message = message;
    json::object data;
    data[name] = value;
    error.data.emplace(std::move(data));
    return error;
}

error_object busy(std::string_view reason)
{
    return made(error_codes::server_busy, "Server busy", "reason", reason);
}

// What is refused may be tried again, as nothing was done; this may not.
error_object unknown(std::string_view message)
{
    return made(error_codes::request_lost, message, "executed", "unknown");
}

error_object cancelled(std::string_view reason)
{
    return made(error_codes::request_cancelled, "Request cancelled", "reason", reason);
}

std::string_view busy_reason(front_outcome outcome)
{
    switch (outcome) {
    case front_outcome::full: return "queue full";
    case front_outcome::client_full: return "too many calls";
    case front_outcome::no_stream: return "no worker";
    case front_outcome::closed: return "closing";
    case front_outcome::no_room: return "too many sessions";
    default: return "bus unreachable";
    }
}

} // namespace

error_object refusal_of(const call_settled& call)
{
    switch (call.outcome) {
    case front_outcome::lost: return unknown("The server that had taken this request was lost");
    case front_outcome::cancelled: return cancelled("cancelled");
    case front_outcome::deadline: return cancelled("deadline");
    case front_outcome::too_large:
        return made(error_codes::invalid_request, "The request is too large for the queue", "reason", "size");
    case front_outcome::bad_reply:
        return made(error_codes::internal_error, "The reply is too large for the bus", "reason", "size");
    case front_outcome::invalid:
        return made(error_codes::invalid_request, "The request can't be passed on", "reason", "names");
    case front_outcome::replayed:
        return made(error_codes::proof_required, "The proof is not valid", "reason", "replayed");
    default: break;
    }
    if (call.may_have_run)
        return unknown("It is not known whether this request was taken");
    return busy(busy_reason(call.outcome));
}

error_object refusal_of_opening(front_outcome why)
{
    call_settled how;
    how.outcome = outcome_of_opening(why);
    return refusal_of(how);
}

} // namespace partyline::fleet
