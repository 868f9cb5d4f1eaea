#pragma once

#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/error.hpp>

#include <string_view>

namespace partyline::mcp {

/// -32602 "Invalid params", which names the parameter and says what was expected there.
error_object invalid_params(std::string_view parameter, std::string_view expected);

/// From 2026-07-28 on -32021 with what is required; before that, where there is no such error, -32602.
error_object missing_capability_error(const missing_capability& missing, revision r);

} // namespace partyline::mcp
