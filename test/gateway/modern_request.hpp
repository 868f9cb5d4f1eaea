#pragma once

#include <string>
#include <string_view>

namespace partyline::test {

/// `_meta` of a request of MCP 2026-07-28, with what else `more` says.
inline std::string modern_meta(std::string_view more = {})
{
    return R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})" +
           std::string(more) + '}';
}

/// The fields of its POST.
inline std::string modern_fields(std::string_view method, std::string_view name = {})
{
    std::string fields =
        "MCP-Protocol-Version: 2026-07-28\r\nAccept: application/json, text/event-stream\r\nMcp-Method: " +
        std::string(method) + "\r\n";
    if (!name.empty())
        fields += "Mcp-Name: " + std::string(name) + "\r\n";
    return fields;
}

} // namespace partyline::test
