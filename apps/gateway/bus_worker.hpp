#pragma once

#include "gateway/options.hpp"

namespace gateway {

/// Serves the calls of a bus with a server on standard input and output, until a signal ends it: then it takes no more,
/// and ends what it has begun. Returns the exit code.
int serve_worker(options how);

} // namespace gateway
