#pragma once

#include "session/requests/incoming_request.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace partyline {

/// What becomes of an exception that left a handler.
struct handler_failure {
    error_object error;
    /// A line for the log; empty when there is nothing to tell.
    std::string log;
};

/// `cause` is why the request was cancelled, if it was: then everything but an `rpc_error` means that it has ended for
/// that.
handler_failure describe_exception(std::exception_ptr thrown, cancel_cause cause, bool expose);

/// The answer to a request that was cancelled before it had a result; without the cause where memory is short.
error_object cancelled_error(cancel_cause cause) noexcept;

/// The answer to a message that is none.
error_object defect_error(const defect& problem);

/// The answer to a message whose header is none, or to what a profile does not have.
error_object header_error(std::string_view problem);
error_object invalid_request_error(const char* reason);

/// The answer to a request whose params are an array, where they may not be.
error_object array_params_error();

/// The answer to a message that was discarded as it arrived.
error_object oversize_error(std::size_t limit, std::size_t value);

/// The answer to a request whose id is in flight: it carries no id, since that would settle the first request.
error_object duplicate_error(std::string_view id);

/// The answer in place of a result that has no JSON text.
error_object unwritable_error(const unwritable& problem);

/// How long a reply may be, and what to say of one that is longer.
struct reply_room {
    std::size_t limit;
    std::size_t used = 0;  // of the limit, by others
    std::size_t least = 0; // that there is room for in any case
    const char* reason = "the reply is too long";

    std::size_t bytes() const noexcept { return std::max(limit - std::min(limit, used), least); }
};

/// The answer in place of a result of `length` bytes that has no room.
error_object no_room_error(const reply_room& room, std::size_t length);

/// The answer to a request that found no room among those that wait.
error_object busy_error(std::size_t limit, std::size_t value);

/// The answer to a request beyond the quota of its peer.
error_object too_many_requests_error(std::chrono::milliseconds retry_after);

/// The answer to a request of a peer that may not call any more.
error_object authentication_required_error();

/// The answer to a request whose proof is missing or not valid: see `proof_verdict::reason`.
error_object proof_required_error(std::string_view reason);

/// The answer to a request that can't be checked now.
error_object plain_busy_error();

/// The answer to a request for a method that there is not.
error_object method_not_found_error(std::string_view method);

/// The answer where there is no memory for a better one.
error_object plain_internal_error() noexcept;

} // namespace partyline
