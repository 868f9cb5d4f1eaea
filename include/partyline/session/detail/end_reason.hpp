#pragma once

#include <partyline/protocol/errc.hpp>

#include <string>

namespace partyline::detail {

/// The reason why no more messages come from a peer: the error of the calls that it has not answered.
struct end_reason {
    error_code code = errc::peer_closed;
    /// Details in words: see `call_result::details`.
    std::string details = {};
    /// Whether the end is a failure even if no call waits: then `async_run` fails with the code.
    bool is_failure = false;
    /// Whether the peer does not read any more either: then its requests under way need not be finished.
    bool is_gone = false;
};

} // namespace partyline::detail
