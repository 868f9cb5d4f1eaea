#pragma once

#include "session/slot.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/protocol/writer.hpp>

#include <exception>
#include <string>

namespace partyline {

/// What becomes of an exception that left a handler.
struct failure {
    error_object error;
    /// A line for the log; empty when there is nothing to tell.
    std::string log;
};

/// `cause` is why the request was cancelled, if it was: then everything but an `rpc_error` means that it has ended for that.
failure describe_exception(std::exception_ptr thrown, cancel_cause cause, bool expose);

/// The answer to a request that was cancelled before it had a result.
error_object cancelled_error(cancel_cause cause);

/// The answer to a message that is none.
error_object defect_error(const defect& problem);

/// The answer to a message that was discarded as it arrived.
error_object oversize_error(std::size_t limit, std::size_t value);

/// The answer to a request whose id is in flight: it carries no id, since that would settle the first request.
error_object duplicate_error(std::string_view id);

/// The answer in place of a result that has no JSON text.
error_object unwritable_error(const unwritable& problem);

/// The answer in place of a result that is longer than a message may be.
error_object too_long_result_error(std::size_t limit, std::size_t value);

/// The answer to a request that found no room among those that wait.
error_object busy_error(std::size_t limit, std::size_t value);

error_object method_not_found_error();

} // namespace partyline
