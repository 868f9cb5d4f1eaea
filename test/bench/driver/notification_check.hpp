#pragma once

#include "request_set.hpp"
#include "wire.hpp"

#include <cstddef>

namespace bench {

/// Sees that so many notifications have come, counting up, and then the right reply to the one request; all of that is
/// forgotten then.
void check_notifying_call(const request_set& requests, inbox& received, std::size_t notifications);

} // namespace bench
