#pragma once

#include "fleet/channel/channel.hpp"

#include <partyline/session/handler.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>

namespace partyline::fleet {

/// Has methods serve the session of an open channel, soon: after what is published now. It runs until it has ended, or
/// is ended by `channel::session()`.
void serve_session(const std::shared_ptr<channel>& by, const boost::asio::any_io_executor& executor,
                   std::shared_ptr<const dispatcher> methods, session_options options, const std::string& traceparent);

} // namespace partyline::fleet
