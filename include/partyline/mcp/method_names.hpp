#pragma once

#include <partyline/config.hpp>

#include <string>
#include <vector>

namespace partyline::mcp {

/// The names of all requests and notifications that a client may send, of all revisions, such as "tools/call": for
/// `telemetry::metrics` and `telemetry::span_options`.
PARTYLINE_EXPORT std::vector<std::string> method_names();

} // namespace partyline::mcp
