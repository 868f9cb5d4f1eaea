#pragma once

#include "mcp/schema/node.hpp"

#include <optional>
#include <vector>

namespace partyline::mcp::detail {

/// A schema that asks itself about the very same value, by whatever ways; nothing when there is none.
std::optional<node_id> find_endless_loop(const std::vector<node>& nodes);

} // namespace partyline::mcp::detail
