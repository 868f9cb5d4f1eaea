#pragma once

#include "http/websocket/frame.hpp"

#include <array>
#include <cstddef>

namespace partyline::http {

/// Draws the keys that a client masks its frames by: no script in a browser may know which bytes its text becomes on
/// the wire (RFC 6455 §10.3).
class mask_source {
public:
    /// Throws `system_error` where the system has no random numbers.
    const mask_key& next();

private:
    std::array<mask_key, 64> keys_{}; // so that the system is asked for as much as it gives at once
    std::size_t used_ = 64;
};

} // namespace partyline::http
