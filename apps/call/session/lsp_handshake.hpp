#pragma once

#include "call/duration.hpp"

#include <partyline/session.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <optional>
#include <string>

namespace call {

/// What LSP 3.17 wants asked before and after the calls, and went wrong: a local failure, or an error of the server's.
struct handshake_failure {
    std::string method;
    partyline::error_code code;
    partyline::response reply;
};

using handshake_result = std::optional<handshake_failure>;

/// Introduces us to a language server, as a client without capabilities: `initialize` and `initialized`. `is_ours`: it
/// was started by us, and is to end with us.
///
/// Completes with   handshake_result; none when the server is ready for calls
/// Fails with       nothing that is thrown; `most` is the time for the reply, 0: for ever
/// Cancellation     by `cancel`, terminal; the failure is `operation_aborted`
/// Lifetime         the session lives until completion
boost::asio::awaitable<handshake_result> initialize(partyline::session& server, bool is_ours, duration most,
                                                    boost::asio::cancellation_slot cancel);

/// Takes leave of it, in the same way: `shutdown`, and whatever becomes of that, `exit`.
boost::asio::awaitable<handshake_result> shut_down(partyline::session& server, duration most,
                                                   boost::asio::cancellation_slot cancel);

} // namespace call
