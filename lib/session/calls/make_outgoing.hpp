#pragma once

#include "session/calls/outgoing_message.hpp"

#include <partyline/session/caller.hpp>

#include <cstddef>
#include <memory>
#include <string>

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

} // namespace partyline
