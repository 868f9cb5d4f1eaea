#pragma once

#include <partyline/session/served_event.hpp>

#include <chrono>
#include <string_view>

namespace partyline::test {

/// An event of a request that was answered with a result, for tests to change.
inline served_event served(std::string_view method, std::chrono::microseconds took = std::chrono::microseconds(700))
{
    static const peer_identity nobody;
    const std::chrono::steady_clock::time_point began{std::chrono::hours(1)};
    served_event event{.method = method, .peer = nobody};
    event.id = "1";
    event.outcome = answer_outcome::result;
    event.arrived = began;
    event.ended = began + took;
    event.bytes_in = 60;
    event.bytes_out = 40;
    return event;
}

} // namespace partyline::test
