#pragma once

#include <chrono>

#include <poll.h>

namespace partyline::test {

/// Waits until `fd` is ready for `events` or has hung up. False when `time` is over.
bool is_ready(int fd, short events, std::chrono::milliseconds time);

} // namespace partyline::test
