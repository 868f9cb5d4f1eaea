#pragma once

#include <partyline/config.hpp>
#include <partyline/session/served_event.hpp>

#include <chrono>
#include <string>

namespace partyline::telemetry {

/// Returns a line of JSON about a request or a notification that has ended, without the end of the line: for a message
/// log. The line never contains params, results or credentials. The members of the line, of which those without a value
/// are left out:
///
/// - `time_ms`: `now`, in milliseconds since 1970
/// - `connection`: the number of the outlet, 0 of a stream
/// - `peer`: the address that it has come from, or the user and the process of a Unix socket
/// - `principal`, `method`, `key`, `id`: as in the event; long texts are cut, and control characters are escaped
/// - `element`: whether it came in a batch
/// - `outcome`: how it has ended, as in metrics; `code`: that of an error, else 0
/// - `us`: the time from reading it to its answer, in microseconds
/// - `bytes_in`, `bytes_out`: the lengths of both
/// - `trace`: the id of its trace
///
///     options.on_served = [](const served_event& event) {
///         show(telemetry::message_line(event, std::chrono::system_clock::now()));
///     };
PARTYLINE_EXPORT std::string message_line(const served_event& event, std::chrono::system_clock::time_point now);

} // namespace partyline::telemetry
