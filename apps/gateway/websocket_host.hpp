#pragma once

#include "gateway/http_call.hpp"

namespace gateway {

/// Serves a host on standard input and output by a server that is reached by WebSocket: messages pass as they are, in
/// both directions, until either side ends. Returns the exit code.
int serve_host_by_websocket(const remote_address& at);

} // namespace gateway
