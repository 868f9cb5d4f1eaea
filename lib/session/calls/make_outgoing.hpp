#pragma once

#include "session/call_rules.hpp"
#include "session/calls/outgoing_message.hpp"

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace partyline {

class request_context;

/// Who makes a message: the rules of the session that it goes to, the executor by way of which its completion is
/// posted, and the request whose handler wants it, or null.
struct call_origin {
    const call_rules& rules;
    boost::asio::any_io_executor home;
    request_context* from = nullptr;
};

// Make a message of a caller's arguments, on the caller's thread, so that the params are written there and the plain
// functions of call middleware run there. Where `failed` is set to `errc::bad_params`, the arguments can't be sent and
// the message is to be refused.

outgoing_element make_element(std::string method, const call_params& params, bool is_call, std::size_t depth,
                              error_code& failed);

/// One that is sent without waiting for coroutines of middleware: it passes the plain functions alone.
outgoing_element make_told(std::string method, const call_params& params, bool is_call, std::size_t depth,
                           const call_options& options, const call_origin& origin, error_code& failed);

PARTYLINE_EXPORT std::shared_ptr<outgoing_message> make_call(std::string method, const call_params& params,
                                                             call_options options, call_handler done,
                                                             call_origin origin, error_code& failed);
PARTYLINE_EXPORT std::shared_ptr<outgoing_message> make_notification(std::string method, const call_params& params,
                                                                     notify_handler done, call_origin origin,
                                                                     error_code& failed);
PARTYLINE_EXPORT std::shared_ptr<outgoing_message>
make_batch(const call_batch& calls, call_options options, batch_handler done, call_origin origin, error_code& failed);

// Make one and have it sent, by what has `origin()` and `launch(message, failed)`.

template <class Sender>
void send_call(Sender& by, std::string method, const call_params& params, call_options options, call_handler done)
{
    error_code failed;
    const auto made = make_call(std::move(method), params, std::move(options), std::move(done), by.origin(), failed);
    by.launch(made, failed);
}
template <class Sender>
void send_notification(Sender& by, std::string method, const call_params& params, notify_handler done)
{
    error_code failed;
    const auto made = make_notification(std::move(method), params, std::move(done), by.origin(), failed);
    by.launch(made, failed);
}
template <class Sender>
void send_batch(Sender& by, const call_batch& calls, call_options options, batch_handler done)
{
    error_code failed;
    const auto made = make_batch(calls, std::move(options), std::move(done), by.origin(), failed);
    by.launch(made, failed);
}

} // namespace partyline
