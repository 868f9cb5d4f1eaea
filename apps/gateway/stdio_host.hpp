#pragma once

#include "gateway/network_server.hpp"

namespace gateway {

/// Serves a host on standard input and output by a server on the network, until either side ends. Returns the exit
/// code.
int serve_host(const network_address& at);

} // namespace gateway
