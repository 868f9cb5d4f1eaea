#include "http/mcp/mcp_message.hpp"

#include "protocol/json/read_string.hpp"

namespace partyline::http {
namespace {

constexpr std::string_view version_member = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view capabilities_member = "io.modelcontextprotocol/clientCapabilities";

// The param that Mcp-Name repeats (2026-07-28, Streamable HTTP, standard headers); empty where there is none.
std::string_view name_param(std::string_view method)
{
    if (method == "tools/call" || method == "prompts/get")
        return "name";
    if (method == "resources/read")
        return "uri";
    if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
        return "taskId";
    return {};
}

bool read_text(json_view value, std::string& to)
{
    std::string memory;
    std::string_view text;
    if (value.empty() || !read_string(value, text, memory))
        return false;
    to = text;
    return true;
}

bool is_object(json_view value)
{
    return value.text().starts_with('{');
}

} // namespace

mcp_message read_mcp_message(message_reader& reader, const std::string& text)
{
    const message& m = reader.read(text);
    mcp_message result;
    result.type = m.type;
    if (m.type != message_type::request && m.type != message_type::notification)
        return result;
    result.id = m.id;
    result.method = m.method;
    if (const std::string_view param = name_param(m.method); !param.empty())
        result.has_name = read_text(reader.find_param(param), result.name);
    const json_view meta = reader.find_param("_meta");
    if (is_object(meta)) {
        result.is_modern = read_text(reader.find_member(meta, version_member), result.version);
        result.has_envelope = result.is_modern && is_object(reader.find_member(meta, capabilities_member));
    }
    result.begins_session = !result.is_modern && m.type == message_type::request && result.method == "initialize";
    return result;
}

} // namespace partyline::http
