#pragma once

namespace wire_client {

/// What is said over a connection: HTTP, a message a line, WebSocket, or what nobody listens to.
enum class speech { http, lines, websocket, unheard };

} // namespace wire_client
