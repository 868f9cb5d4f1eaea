#pragma once

#include <partyline/mcp/revision.hpp>
#include <partyline/protocol/json_text.hpp>

#include <optional>

namespace gateway {

/// The revision of MCP that params name (2026-07-28); nothing where they name none that is known here.
std::optional<partyline::mcp::revision> revision_of(partyline::json_view params);
/// The same of the result of `initialize`.
std::optional<partyline::mcp::revision> greeted_revision(const partyline::json_text& result);

} // namespace gateway
