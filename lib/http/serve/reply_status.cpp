#include "http/serve/reply_status.hpp"

#include <partyline/protocol/error.hpp>

namespace partyline::http {
namespace {

// MCP 2026-07-28, transports: what is wrong with the request itself.
constexpr int fields_mismatch = -32020;
constexpr int missing_capability = -32021;
constexpr int unsupported_version = -32022;

int modern_status(int code) noexcept
{
    switch (code) {
    case error_codes::parse_error:
    case error_codes::invalid_request:
    case error_codes::invalid_params: // of the envelope: what a tool is given its handler looks at
    case fields_mismatch:
    case unsupported_version: return 400;
    case error_codes::method_not_found: return 404;
    default: return 200;
    }
}

} // namespace

int status_of_error(int code, bool was_served, status_rule by) noexcept
{
    if (code == missing_capability && by != status_rule::plain && by != status_rule::legacy)
        return 400;
    if ((code == error_codes::insufficient_scope || code == error_codes::proof_required) && !was_served)
        return 403;
    if (code == error_codes::too_many_requests && !was_served)
        return 429;
    if (by == status_rule::forwarded)
        return code == error_codes::invalid_params ? 200 : modern_status(code);
    if (was_served)
        return 200;
    if (code == error_codes::server_busy)
        return 503;
    if (by == status_rule::modern)
        return modern_status(code);
    const bool is_none = code == error_codes::parse_error || code == error_codes::invalid_request;
    return is_none && by == status_rule::legacy ? 400 : 200;
}

} // namespace partyline::http
