#include "http/sessions/mcp_fields.hpp"

#include "http/mcp/base64_value.hpp"

namespace partyline::http {
namespace {

std::optional<field_mismatch> compare(const request_head& head, std::string_view lower_name, const char* name,
                                      const std::string& expected)
{
    const std::string_view told = head.find(lower_name);
    const bool is_once = head.count(lower_name) == 1;
    const std::optional<std::string> actual = is_once ? decode_field_value(told) : std::nullopt;
    if (actual == expected)
        return std::nullopt;
    return field_mismatch{name, expected, std::string(told)};
}

} // namespace

std::optional<field_mismatch> find_mismatch(const request_head& head, const mcp_message& m)
{
    if (auto wrong = compare(head, "mcp-protocol-version", "MCP-Protocol-Version", m.version))
        return wrong;
    if (auto wrong = compare(head, "mcp-method", "Mcp-Method", m.method))
        return wrong;
    if (m.has_name)
        return compare(head, "mcp-name", "Mcp-Name", m.name);
    return std::nullopt;
}

} // namespace partyline::http
