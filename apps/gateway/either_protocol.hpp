#pragma once

#include <partyline/protocol/message.hpp>
#include <partyline/session/profile.hpp>

#include <optional>
#include <string_view>

namespace gateway {

/// Plain JSON-RPC, or MCP from when that is known on. For a connection of which nobody has said what is spoken there:
/// the first request says it, before anything depends on it.
class either_protocol : public partyline::profile {
public:
    void become_mcp();

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
