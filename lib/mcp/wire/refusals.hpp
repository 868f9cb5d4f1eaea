#pragma once

#include <partyline/protocol/error.hpp>

#include <string_view>

namespace partyline::mcp {

/// -32602 "Invalid params", which names the parameter and says what was expected there.
error_object invalid_params(std::string_view parameter, std::string_view expected);

} // namespace partyline::mcp
