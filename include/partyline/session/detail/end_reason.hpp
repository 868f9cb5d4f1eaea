#pragma once

#include <partyline/protocol/errc.hpp>

#include <string>

namespace partyline::detail {

/// Why nothing more comes from a peer: what the calls that it has not answered fail with.
struct end_reason {
    error_code code = errc::peer_closed;
    /// What else is known, in words: see `call_result::details`.
    std::string details = {};
    /// The end is a failure in itself, whether or not a call waits: `async_run` fails with the code.
    bool is_failure = false;
    /// It does not read any more either: what is still being worked on for it need not be finished.
    bool is_gone = false;
};

} // namespace partyline::detail
