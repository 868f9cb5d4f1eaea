#pragma once

#include <partyline/protocol/message.hpp>
#include <partyline/session/call_result.hpp>

namespace partyline {

/// What a response says. Fails with `errc::bad_reply` where it is not as it should be (JSON-RPC 2.0 §5) or no JSON,
/// with `errc::message_too_large` where it is nested too deep, or an array of far too many; the response says the same
/// then.
response read_reply(const message& m, error_code& failed);

} // namespace partyline
