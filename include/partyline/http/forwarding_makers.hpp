#pragma once

#include <partyline/session/served_methods.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::http {

/// The arguments of a tool's call that fields of a request repeat: the name of the field after "Mcp-Param-", and the
/// names of properties that lead to the argument.
using mirrored_arguments = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Makes conversations whose requests are answered by other servers: the status of an error follows from its code
/// alone.
struct forwarding_makers {
    /// The methods for a client's session.
    served_methods session;
    /// The methods for the requests of a connection that belong to no session.
    served_methods connection;
    /// Returns the arguments of a tool's call that fields of the request repeat, as far as the arguments are known of
    /// those servers, so that both are compared. Empty: nothing is compared.
    std::function<mirrored_arguments(std::string_view tool)> mirrored = {};
};

/// The protocol over a WebSocket, by its subprotocol: "jsonrpc" or "mcp".
enum class websocket_kind : std::uint8_t { rpc, mcp };

} // namespace partyline::http
