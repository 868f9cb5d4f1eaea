#pragma once

#include "telemetry/outcome.hpp"

#include <partyline/session/served_event.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace partyline::telemetry {

/// How a peer is connected, as `network.transport` has it.
enum class span_transport : std::uint8_t { pipe, tcp, unix_socket };

/// What is kept of a request or a notification until it is exported.
struct span {
    std::array<char, 32> trace_id = {};
    std::array<char, 16> span_id = {};
    std::array<char, 16> parent_id = {};
    bool has_parent = false;
    served_outcome outcome = served_outcome::result;
    span_transport transport = span_transport::pipe;
    int error_code = 0;
    std::chrono::nanoseconds began = {}; // since 1970
    std::chrono::nanoseconds ended = {};
    std::string state; // `tracestate`
    std::string method;
    std::string key;
    std::string id;
    std::string principal;
    std::optional<boost::asio::ip::tcp::endpoint> address = {};
};

/// The span of an event that has a trace; `now` is when it has ended. Long texts are cut. Throws `std::bad_alloc`.
span make_span(const served_event& event, std::chrono::system_clock::time_point now);

} // namespace partyline::telemetry
