#pragma once

#include "telemetry/outcome.hpp"

#include <partyline/session/served_event.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::telemetry {

/// How a peer is connected, as `network.transport` has it.
enum class span_transport : std::uint8_t { unknown, pipe, tcp, unix_socket };

/// Whether something was asked of us, or by us.
enum class span_kind : std::uint8_t { server, client };

/// What is kept of a request, a notification or a call until it is exported.
struct span {
    span_kind kind = span_kind::server;
    std::array<char, 32> trace_id = {};
    std::array<char, 16> span_id = {};
    std::array<char, 16> parent_id = {};
    bool has_parent = false;
    served_outcome outcome = served_outcome::result;
    span_transport transport = span_transport::unknown;
    int error_code = 0;
    std::chrono::nanoseconds began = {}; // since 1970
    std::chrono::nanoseconds ended = {};
    std::string_view failure = {}; // of a call that has no reply: a literal; empty: `outcome` says it
    std::string state;             // `tracestate`
    std::string method;
    std::string key;
    std::string id;
    std::string principal;
    std::string protocol_version;
    std::string session_digest;
    std::optional<ip_endpoint> address = {};
};

/// Says where it stands in its trace.
void place(span& one, const trace_context& trace);

/// What is kept of a text of a peer's: longer than what is shown, so that who shows it sees that there was more.
std::string_view kept(std::string_view text) noexcept;

/// The span of an event that has a trace; `now` is when it has ended. Long texts are cut. Throws `std::bad_alloc`.
span make_span(const served_event& event, std::chrono::system_clock::time_point now);

} // namespace partyline::telemetry
