#pragma once

#include "session/calls/outgoing_message.hpp"

#include <partyline/session/caller.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace partyline {

// Make a message of a caller's arguments, on the caller's thread, so that the params are written there. Completion is
// posted by way of `home`. Where `failed` is set to `errc::bad_params`, the arguments can't be sent and the message is
// to be refused.

std::shared_ptr<outgoing_message> make_call(std::string method, const call_params& params, call_options options,
                                            call_handler done, boost::asio::any_io_executor home, std::size_t depth,
                                            error_code& failed);
std::shared_ptr<outgoing_message> make_notification(std::string method, const call_params& params, notify_handler done,
                                                    boost::asio::any_io_executor home, std::size_t depth,
                                                    error_code& failed);
std::shared_ptr<outgoing_message> make_batch(const call_batch& calls, call_options options, batch_handler done,
                                             boost::asio::any_io_executor home, std::size_t depth, error_code& failed);

// Make one and have it sent, by what has `get_executor()`, `depth()` and `launch(message, failed)`.

template <class Sender>
void send_call(Sender& by, std::string method, const call_params& params, call_options options, call_handler done)
{
    error_code failed;
    const auto made = make_call(std::move(method), params, std::move(options), std::move(done), by.get_executor(),
                                by.depth(), failed);
    by.launch(made, failed);
}
template <class Sender>
void send_notification(Sender& by, std::string method, const call_params& params, notify_handler done)
{
    error_code failed;
    const auto made =
        make_notification(std::move(method), params, std::move(done), by.get_executor(), by.depth(), failed);
    by.launch(made, failed);
}
template <class Sender>
void send_batch(Sender& by, const call_batch& calls, call_options options, batch_handler done)
{
    error_code failed;
    const auto made = make_batch(calls, std::move(options), std::move(done), by.get_executor(), by.depth(), failed);
    by.launch(made, failed);
}

} // namespace partyline
