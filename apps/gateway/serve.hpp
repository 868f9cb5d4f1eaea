#pragma once

#include "gateway/options.hpp"

namespace gateway {

/// Runs a gateway that starts servers, until a signal ends it. Returns the exit code.
int serve(options how);

} // namespace gateway
