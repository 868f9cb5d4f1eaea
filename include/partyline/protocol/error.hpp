#pragma once

#include <partyline/config.hpp>

#include <boost/assert/source_location.hpp>
#include <boost/json/value.hpp>

#include <exception>
#include <optional>
#include <string>

namespace partyline {

/// The codes that JSON-RPC 2.0 §5.1 defines, the one that LSP adds for cancellation, and one of our own.
/// Applications choose their own codes outside -32768 … -32000.
namespace error_codes {
inline constexpr int parse_error = -32700;       ///< the text is no JSON
inline constexpr int invalid_request = -32600;   ///< it is JSON, and no request
inline constexpr int method_not_found = -32601;  ///< there is no such method, or it is for notifications alone
inline constexpr int invalid_params = -32602;    ///< `data` names the parameter, what was expected and what came
inline constexpr int internal_error = -32603;    ///< the handler has failed in another way than by `rpc_error`
inline constexpr int request_cancelled = -32800; ///< LSP: the request was cancelled, by the peer or by a deadline
/// More requests wait than `limits` allows; `data` holds `limit` and `value`. Nothing was done: it can be tried again.
inline constexpr int server_busy = -31001;
/// The peer calls more often than its quota allows; `data` holds `retry_after_ms`. Nothing was done.
inline constexpr int too_many_requests = -31002;
/// The peer lacks scopes for this call; `data` holds `required`, the scopes that the call needs.
inline constexpr int insufficient_scope = -31003;
/// The server that had taken the request was lost: the request may have run, or be running. `data` holds `executed`:
/// "unknown".
inline constexpr int request_lost = -31004;
/// The peer has shown no credentials, or credentials that are not valid: `message` says which of these.
inline constexpr int authentication_required = -31005;
/// The call has to be signed, and its proof is missing or not valid; `data` holds `reason`: "missing", "signature",
/// "key", "method", "params", "time", "replayed". Nothing was done.
inline constexpr int proof_required = -31006;
} // namespace error_codes

/// An error as it stands in a reply (JSON-RPC 2.0 §5.1). Not a local failure: those are `error_code`s, see errc.hpp.
struct error_object {
    /// The code; in a reply of a peer, the one that the peer has sent.
    int code = error_codes::internal_error;
    /// The error in one sentence.
    std::string message;
    /// Absent from the reply when empty; a `json::value` of kind null is sent as null.
    std::optional<boost::json::value> data;
};

/// Thrown by a handler to answer its request with an error of its choice.
///
///     methods.add("divide", [](double a, double b) {
///         if (b == 0)
///             throw partyline::rpc_error(1, "Division by zero", boost::json::value(a));
///         return a / b;
///     });
class PARTYLINE_EXPORT rpc_error : public std::exception {
public:
    /// "Internal error". (`boost::system::result<T, rpc_error>` asks for it.)
    rpc_error();
    /// `message` is what `what()` returns.
    rpc_error(int code, std::string message, std::optional<boost::json::value> data = std::nullopt);
    /// An existing error, such as one that another peer has answered.
    explicit rpc_error(error_object error);

    /// The error that the request is answered with.
    const error_object& error() const noexcept { return error_; }
    /// The error's message.
    const char* what() const noexcept override { return error_.message.c_str(); }

private:
    error_object error_;
};

/// Has `value()` of a `boost::system::result<T, rpc_error>` throw its error. (In newer Boost `*result` needs it, too.)
[[noreturn]] inline void throw_exception_from_error(const rpc_error& error, const boost::source_location&)
{
    throw error;
}
/// Has `value()` of a `boost::system::result<T, error_object>` throw its error.
[[noreturn]] inline void throw_exception_from_error(const error_object& error, const boost::source_location&)
{
    throw rpc_error(error);
}

} // namespace partyline
