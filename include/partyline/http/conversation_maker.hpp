#pragma once

#include <partyline/session/handler.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline {
struct session_options;
}

namespace partyline::http {

/// Returns the methods of a new conversation, and may change its options, such as the profile. Called on the server's
/// executor; with `server_options::threads` on each of its threads, by several at once. When it throws, the request is
/// answered 503.
using conversation_maker = std::function<std::shared_ptr<const dispatcher>(session_options&)>;

/// The arguments of a tool's call that fields of a request repeat: the name of the field after "Mcp-Param-", and the
/// names of properties that lead to the argument.
using mirrored_arguments = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Makes conversations whose requests are answered by other servers: the status of an error follows from its code
/// alone.
struct forwarding_makers {
    /// For a client's session.
    conversation_maker session;
    /// For the requests of a connection that belong to no session.
    conversation_maker connection;
    /// Tells which arguments of a tool's call fields of the request repeat, as far as that is known of those servers,
    /// so that they are compared. Empty: nothing is.
    std::function<mirrored_arguments(std::string_view tool)> mirrored = {};
};

/// The protocol over a WebSocket, by its subprotocol: "jsonrpc" or "mcp".
enum class websocket_kind : std::uint8_t { rpc, mcp };

} // namespace partyline::http
