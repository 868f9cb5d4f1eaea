#pragma once

#include "gateway/server_source.hpp"

#include <partyline/session.hpp>

#include <functional>
#include <memory>
#include <string>

namespace gateway {

/// Options like these for a session with a server that is used so.
partyline::session_options session_options_for(const server_use& use, const partyline::session_options& given);

/// The error for a client whose request a session has not answered, by why that is and what else is known.
using answer_maker = std::function<partyline::rpc_error(const partyline::error_code& why, const std::string& details)>;

/// A server that a session speaks with, which has not been run. Calls may be made before it is connected. It ends with
/// the session; where that is not in order, `on_failure` is told why.
std::shared_ptr<server_source> make_session_source(partyline::session to, answer_maker no_answer,
                                                   std::function<void(partyline::error_code)> on_failure);

} // namespace gateway
