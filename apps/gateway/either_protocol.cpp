#include "gateway/either_protocol.hpp"

namespace gateway {

void either_protocol::become_mcp()
{
    profile::operator=(mcp_profile);
    spoken_ = &mcp_profile;
}

std::string_view either_protocol::read_cancel(partyline::json_view params, partyline::message_reader& reader) const
{
    return spoken_->read_cancel(params, reader);
}

void either_protocol::write_cancel(partyline::byte_buffer& out, std::string_view id, std::string_view reason) const
{
    spoken_->write_cancel(out, id, reason);
}

std::optional<partyline::told_progress> either_protocol::read_progress(partyline::json_view params,
                                                                       partyline::message_reader& reader) const
{
    return spoken_->read_progress(params, reader);
}

std::optional<partyline::unwritable> either_protocol::write_progress(partyline::byte_buffer& out,
                                                                     std::string_view token,
                                                                     const boost::json::value& value,
                                                                     std::size_t max_depth) const
{
    return spoken_->write_progress(out, token, value, max_depth);
}

bool either_protocol::is_replaceable(const boost::json::value& progress) const
{
    return spoken_->is_replaceable(progress);
}

bool begins_mcp(const partyline::message& first, partyline::message_reader& reader)
{
    if (first.method == "initialize")
        return !reader.find_param("protocolVersion").empty();
    const partyline::json_view meta = reader.find_param("_meta");
    return meta.text().starts_with('{') && !reader.find_member(meta, "io.modelcontextprotocol/protocolVersion").empty();
}

} // namespace gateway
