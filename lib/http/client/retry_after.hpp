#pragma once

#include "http/wire/received_head.hpp"

#include <chrono>
#include <optional>

namespace partyline::http {

/// The delay that a busy server (503, 429) asks for by Retry-After (RFC 9110 §10.2.3). Empty without a readable one.
std::optional<std::chrono::seconds> retry_after(const received_head& head, std::chrono::sys_seconds now);

} // namespace partyline::http
