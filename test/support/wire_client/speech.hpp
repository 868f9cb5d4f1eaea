#pragma once

namespace wire_client {

/// What is said over a connection: HTTP, a message a line, WebSocket, messages with the framing of the inbox over
/// standard streams, or what nobody listens to.
enum class speech { http, lines, websocket, streams, unheard };

} // namespace wire_client
