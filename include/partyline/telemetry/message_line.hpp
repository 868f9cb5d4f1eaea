#pragma once

#include <partyline/config.hpp>
#include <partyline/session/served_event.hpp>

#include <chrono>
#include <string>

namespace partyline::telemetry {

/// Returns a line of JSON about a request or a notification that has ended, without the end of the line: for a message
/// log. Never in it: params, results, and credentials.
///
///     {"time_ms":1796000000000,"connection":0,"peer":"127.0.0.1:50000","principal":"ci","method":"tools/call",
///      "key":"read_file","id":7,"element":false,"outcome":"result","code":0,"us":412,"bytes_in":160,"bytes_out":80,
///      "trace":"0af7651916cd43dd8448eb211c80319c"}
///
/// (on one line). `connection` is the number of the outlet, 0 of a stream; `peer` is the address that it has come from,
/// or the user and the process of a Unix socket; `outcome` is as in metrics, and `code` that of an error; `us` is the
/// time from reading it to its answer, in microseconds; `trace` the id of its trace. What is not known is left out.
/// Long texts are cut, and control characters in them are escaped.
///
///     options.on_served = [](const served_event& event) {
///         show(telemetry::message_line(event, std::chrono::system_clock::now()));
///     };
PARTYLINE_EXPORT std::string message_line(const served_event& event, std::chrono::system_clock::time_point now);

} // namespace partyline::telemetry
