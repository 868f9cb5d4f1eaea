#include "http/client/client_session.hpp"

#include "http/mcp/base64_value.hpp"
#include "protocol/json/read_string.hpp"

namespace partyline::http {
namespace {

// Each request repeats the revision; the published ones have ten characters.
constexpr std::size_t longest_revision = 64;

} // namespace

bool client_session::note_reply(message_reader& reader, const std::string& text)
{
    const message& m = reader.read(text);
    if (m.type == message_type::reply && m.is_error)
        offered_id_.clear();
    if (m.type != message_type::reply || m.is_error || !m.outcome.text().starts_with('{'))
        return false;
    std::string memory;
    std::string_view revision;
    const json_view found = reader.find_member(m.outcome, "protocolVersion");
    if (found.empty() || !read_string(found, revision, memory))
        return false;
    if (revision.empty() || revision.size() > longest_revision)
        return false;
    revision_ = revision;
    id_ = offered_id_;
    return true;
}

std::vector<field_text> client_session::fields() const
{
    std::vector<field_text> all;
    const std::string& id = has_begun() ? id_ : offered_id_;
    if (!id.empty())
        all.push_back({"Mcp-Session-Id", id});
    if (!revision_.empty())
        all.push_back({"MCP-Protocol-Version", encode_field_value(revision_)});
    return all;
}

} // namespace partyline::http
