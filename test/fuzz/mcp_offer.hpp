#pragma once

#include <partyline/mcp/server.hpp>

#include <memory>

namespace partyline::test {

/// An MCP server of a bit of everything: tools that answer at once, ask, report, wait, and change what there is;
/// resources, a template and a prompt.
std::shared_ptr<mcp::server> make_mcp_offer();

} // namespace partyline::test
