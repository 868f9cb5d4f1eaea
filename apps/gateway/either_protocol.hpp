#pragma once

#include <partyline/mcp/profile.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/profile.hpp>

namespace gateway {

/// MCP without a lifecycle.
struct mcp_protocol final : partyline::mcp::base_protocol {};
inline constexpr mcp_protocol mcp_profile;

/// Plain JSON-RPC until the client is known to speak MCP, MCP from then on: its first request decides. Unlike other
/// profiles this one changes while sessions use it; what a session copies when it is made (how a reply has an id that
/// could not be read, whether messages are checked at all) stays that of plain JSON-RPC.
class either_protocol : public partyline::profile {
public:
    void become_mcp();
    bool is_mcp() const noexcept { return spoken_ != &partyline::plain_profile; }

    void check_progress(const boost::json::value& value) const override;

private:
    const partyline::profile* spoken_ = &partyline::plain_profile;
};

/// Whether a client that begins with this request speaks MCP: it greets so, or says its version as of 2026-07-28.
bool begins_mcp(const partyline::message& first, partyline::message_reader& reader);

} // namespace gateway
