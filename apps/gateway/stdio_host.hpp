#pragma once

#include "command_line/telemetry_options.hpp"
#include "gateway/network_server.hpp"

namespace gateway {

/// Serves a host on standard input and output by a server on the network, until either side ends. Returns the exit
/// code.
int serve_host(const network_address& at, const command_line::telemetry_options& observed);

} // namespace gateway
