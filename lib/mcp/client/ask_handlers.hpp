#pragma once

#include "mcp/client/questions.hpp"
#include "mcp/client/time_limit.hpp"

#include <memory>
#include <string>
#include <vector>

namespace partyline::mcp {

/// Asks the handlers what a server wants to know before it answers a request (2026-07-28), all at a time, and gives
/// their answers by key, as they are sent. What one of them throws is thrown; `failed_call` with errc::timeout when the
/// time is over, with errc::session_closed when the conversation ends. However it ends, handlers that are still busy
/// are cancelled, and have returned by then.
task<boost::json::object> ask_handlers(std::shared_ptr<client_core> of, std::vector<asked_question> asked,
                                       time_limit limit);

} // namespace partyline::mcp
