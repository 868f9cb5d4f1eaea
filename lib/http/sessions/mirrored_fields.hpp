#pragma once

#include "http/sessions/mcp_fields.hpp"

#include <partyline/http/forwarding_makers.hpp>
#include <partyline/protocol/message.hpp>

#include <optional>

namespace partyline::http {

/// Checks the fields that repeat arguments of a tool's call (2026-07-28, custom headers): an argument that is there has
/// its field, once, with the same value, integers by their number; one that is not has none. `reader` has just read the
/// message.
std::optional<field_mismatch> find_mismatch(const request_head& head, message_reader& reader,
                                            const mirrored_arguments& of);

} // namespace partyline::http
