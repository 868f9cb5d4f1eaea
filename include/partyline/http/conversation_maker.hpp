#pragma once

#include <partyline/session/handler.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace partyline {
struct session_options;
}

namespace partyline::http {

/// Makes what one conversation is served by: gives its methods, and may change its options, such as the profile. Called
/// on the server's executor. When it throws, the request is answered 503.
using conversation_maker = std::function<std::shared_ptr<const dispatcher>(session_options&)>;

/// Makes conversations with servers elsewhere, which answer what is asked here: the status of an error goes by its code
/// alone.
struct forwarding_makers {
    /// For a session, of a client that has begun one.
    conversation_maker session;
    /// For the requests of a connection that need none.
    conversation_maker connection;
};

/// The arguments of a tool's call that fields of a request repeat: what the field is called behind "Mcp-Param-", and
/// the names of properties that lead to the argument.
using mirrored_arguments = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// What is spoken over a WebSocket, as its client may call it: "jsonrpc", or "mcp".
enum class websocket_kind : std::uint8_t { rpc, mcp };

} // namespace partyline::http
