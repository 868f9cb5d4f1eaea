#pragma once

#include "mcp/server/sessions/server_lifecycle.hpp"
#include "mcp/wire/client_facts.hpp"

#include <partyline/session/request_context.hpp>

#include <memory>

namespace partyline::mcp {

/// The session that a request came by, as this layer knows it; null where it has another profile.
std::shared_ptr<server_lifecycle> session_of(const request_context& rpc);
/// What is known of the client that sent a request.
client_facts_ptr client_of(const request_context& rpc, const server_lifecycle* session);

} // namespace partyline::mcp
