#pragma once

#include "http/wire/received_head.hpp"

#include <chrono>
#include <optional>

namespace partyline::http {

/// How long a server that is busy, or is asked too often (503, 429), wants to be left alone (RFC 9110 §10.2.3). Empty
/// where it does not say, and for what can't be read.
std::optional<std::chrono::seconds> retry_after(const received_head& head, std::chrono::sys_seconds now);

} // namespace partyline::http
