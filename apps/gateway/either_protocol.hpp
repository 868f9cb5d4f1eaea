#pragma once

#include <partyline/mcp/profile.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/profile.hpp>

#include <optional>
#include <string_view>

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

    std::string_view read_cancel(partyline::json_view params, partyline::message_reader& reader) const override;
    void write_cancel(partyline::byte_buffer& out, std::string_view id, std::string_view reason) const override;
    std::optional<partyline::told_progress> read_progress(partyline::json_view params,
                                                          partyline::message_reader& reader) const override;
    std::optional<partyline::unwritable> write_progress(partyline::byte_buffer& out, std::string_view token,
                                                        const boost::json::value& value,
                                                        std::size_t max_depth) const override;
    bool is_replaceable(const boost::json::value& progress) const override;

private:
    const partyline::profile* spoken_ = &partyline::plain_profile;
};

/// Whether a client that begins with this request speaks MCP: it greets so, or says its version as of 2026-07-28.
bool begins_mcp(const partyline::message& first, partyline::message_reader& reader);

} // namespace gateway
