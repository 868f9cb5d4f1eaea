#pragma once

namespace bench::http {

/// What is said over a connection: HTTP, a message a line, WebSocket, or what nobody listens to.
enum class speech { http, lines, websocket, unheard };

} // namespace bench::http
