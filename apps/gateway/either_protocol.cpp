#include "gateway/either_protocol.hpp"

namespace gateway {

void either_protocol::become_mcp()
{
    profile::operator=(mcp_profile);
    spoken_ = &mcp_profile;
}

void either_protocol::check_progress(const boost::json::value& value) const
{
    spoken_->check_progress(value);
}

bool begins_mcp(const partyline::message& first, partyline::message_reader& reader)
{
    if (first.method == "initialize")
        return !reader.find_param("protocolVersion").empty();
    const partyline::json_view meta = reader.find_param("_meta");
    return meta.text().starts_with('{') && !reader.find_member(meta, "io.modelcontextprotocol/protocolVersion").empty();
}

} // namespace gateway
