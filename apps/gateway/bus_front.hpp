#pragma once

#include "gateway/options.hpp"

namespace gateway {

/// Serves clients over the network with the workers of a bus, until a signal ends it. Returns the exit code.
int serve_front(options how);

} // namespace gateway
