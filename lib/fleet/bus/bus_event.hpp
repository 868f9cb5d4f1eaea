#pragma once

#include "fleet/wire/bus_message.hpp"

#include <cstddef>
#include <string>
#include <variant>

namespace partyline::fleet {

/// A message of the bus that is kept until its receiver looks at it.
struct kept_message {
    std::string subject;
    std::string reply_to;
    int status = 0;
    std::string payload;

    bus_message view() const noexcept { return {subject, reply_to, status, payload}; }
};

/// There is a connection, another one than before, with all subscriptions.
struct bus_connected {
    std::size_t max_payload = 0; // of a message, as the server says
};

/// There is none.
struct bus_disconnected {};

using bus_event = std::variant<kept_message, bus_connected, bus_disconnected>;

} // namespace partyline::fleet
