#include "session/requests/error_replies.hpp"

#include "protocol/json/utf8.hpp"
#include "session/current_exception.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/access_view.hpp>

#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <new>
#include <utility>

namespace json = boost::json;

namespace partyline {
namespace {

error_object make_error(int code, const char* message)
{
    return {code, message, std::nullopt};
}

error_object make_error(int code, const char* message,
                        std::initializer_list<std::pair<json::string_view, json::value_ref>> data)
{
    return {code, message, json::value(json::object(data))};
}

error_object limit_error(const char* reason, std::size_t limit, std::size_t value)
{
    return make_error(error_codes::invalid_request, "Invalid Request",
                      {{"reason", reason}, {"limit", limit}, {"value", value}});
}

const char* reason_text(cancel_cause cause)
{
    switch (cause) {
    case cancel_cause::deadline: return "deadline exceeded";
    case cancel_cause::end_of_input: return "input has ended";
    case cancel_cause::drain_timeout: return "input has ended and the drain timeout is over";
    case cancel_cause::stop: return "the session is being stopped";
    case cancel_cause::access_ended: return "the access of the peer has ended";
    default: return nullptr;
    }
}

// `thrown` is null where it is no std::exception.
handler_failure describe_unexpected(const std::exception* thrown, cancel_cause cause, bool expose)
{
    if (cause != cancel_cause::none)
        return {cancelled_error(cause), {}};
    std::string name = current_exception_name();
    json::object data{{"exception", name}};
    const std::string what = thrown ? exception_text(*thrown) : std::string();
    if (thrown && expose)
        data["what"] = to_valid_utf8(what);
    std::string log = "threw " + std::move(name);
    if (thrown)
        log.append(": ").append(what);
    return {{error_codes::internal_error, "Internal error", json::value(std::move(data))}, std::move(log)};
}

} // namespace

handler_failure describe_exception(std::exception_ptr thrown, cancel_cause cause, bool expose)
{
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const rpc_error& e) {
        return {e.error(), {}};
    } catch (const boost::system::system_error& e) {
        if (e.code() == errc::too_many_calls && cause == cancel_cause::none)
            return {make_error(error_codes::server_busy, "Server busy", {{"reason", e.code().message()}}), {}};
        return describe_unexpected(&e, cause, expose);
    } catch (const std::exception& e) {
        return describe_unexpected(&e, cause, expose);
    } catch (...) {
        return describe_unexpected(nullptr, cause, expose);
    }
}

error_object cancelled_error(cancel_cause cause) noexcept
{
    try {
        const char* reason = reason_text(cause);
        if (!reason)
            return make_error(error_codes::request_cancelled, "Request cancelled");
        return make_error(error_codes::request_cancelled, "Request cancelled", {{"reason", reason}});
    } catch (const std::bad_alloc&) {
        return {error_codes::request_cancelled, "Cancelled", {}}; // which needs none
    }
}

error_object defect_error(const defect& problem)
{
    switch (problem.what) {
    case defect::kind::not_json:
        return make_error(error_codes::parse_error, "Parse error", {{"offset", problem.offset}});
    case defect::kind::too_deep:
    case defect::kind::too_long:
    case defect::kind::id_too_long:
    case defect::kind::batch_too_long: return limit_error(problem.reason, problem.limit, problem.value);
    default: return invalid_request_error(problem.reason);
    }
}

error_object header_error(std::string_view problem)
{
    return make_error(error_codes::parse_error, "Parse error", {{"reason", problem}});
}

error_object invalid_request_error(const char* reason)
{
    return make_error(error_codes::invalid_request, "Invalid Request", {{"reason", reason}});
}

error_object array_params_error()
{
    return make_error(error_codes::invalid_params, "Invalid params", {{"expected", "object"}, {"got", "array"}});
}

error_object oversize_error(std::size_t limit, std::size_t value)
{
    return limit_error("the message is too long", limit, value);
}

error_object duplicate_error(std::string_view id)
{
    json::object data{{"reason", "a request with this id is in flight"}};
    try {
        data["id"] = json_view::checked(id).to_value();
    } catch (const rpc_error&) {
        data["id"] = id; // a number beyond all doubles, as text
    }
    return {error_codes::invalid_request, "Invalid Request", json::value(std::move(data))};
}

error_object unwritable_error(const unwritable& problem)
{
    return make_error(error_codes::internal_error, "Internal error",
                      {{"reason", "the result holds " + problem.reason}, {"where", problem.where}});
}

error_object no_room_error(const reply_room& room, std::size_t length)
{
    return make_error(error_codes::internal_error, "Internal error",
                      {{"reason", room.reason}, {"limit", room.limit}, {"value", room.used + length}});
}

error_object busy_error(std::size_t limit, std::size_t value)
{
    return make_error(error_codes::server_busy, "Server busy", {{"limit", limit}, {"value", value}});
}

error_object too_many_requests_error(std::chrono::milliseconds retry_after)
{
    return make_error(error_codes::too_many_requests, "Too many requests", {{"retry_after_ms", retry_after.count()}});
}

error_object authentication_required_error()
{
    return make_error(error_codes::authentication_required, "Authentication required");
}

error_object proof_required_error(std::string_view reason)
{
    const bool is_missing = reason == "missing";
    return make_error(error_codes::proof_required,
                      is_missing ? "A proof of this call is needed" : "The proof is not valid", {{"reason", reason}});
}

error_object plain_busy_error()
{
    return make_error(error_codes::server_busy, "Server busy");
}

proof_verdict access_view::check_proof(const unproven_call&) const
{
    return {proof_verdict::outcome::refused, "key"};
}

error_object insufficient_scope(std::span<const std::string> required)
{
    return make_error(error_codes::insufficient_scope, "Insufficient scope",
                      {{"required", json::array(required.begin(), required.end())}});
}

error_object method_not_found_error(std::string_view method)
{
    constexpr std::size_t max_name = 128; // it may be megabytes long, and the answer repeats it
    return make_error(error_codes::method_not_found, "Method not found",
                      {{"method", utf8::shortened(method, max_name)}});
}

error_object plain_internal_error() noexcept
{
    return {error_codes::internal_error, "Internal error", std::nullopt}; // short enough to need no memory
}

} // namespace partyline
