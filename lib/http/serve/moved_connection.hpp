#pragma once

#include "http/serve/opened_connection.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace partyline::http {

/// A connection between two requests, on the way to another thread of its server.
struct moved_connection {
    socket_channel channel;
    connected_peer peer;
    std::string untaken;      // the next request, as far as it has come
    std::size_t requests = 0; // before that
    std::function<void(error_code)> on_end;
};

/// Has a connection go on on the thread of that number. Called on its own thread; when it throws, the connection is
/// lost, and nobody has been told.
using connection_mover = std::function<void(std::size_t to, moved_connection one)>;

} // namespace partyline::http
