#include "mcp_gateway.hpp"

#include <stdexcept>

namespace partyline::test {
namespace {

std::vector<std::string> with_server(std::vector<std::string> options, const std::vector<std::string>& of_server)
{
    options.insert(options.end(), {"--", PARTYLINE_MCP_FIXTURE});
    options.insert(options.end(), of_server.begin(), of_server.end());
    return options;
}

} // namespace

mcp_gateway::mcp_gateway(std::vector<std::string> options, std::vector<std::string> fixture_options)
    : gateway(with_server(std::move(options), fixture_options))
{
}

std::string mcp_gateway::greet(http_client& client, const std::string& fields)
{
    const http_response got =
        client.ask("/mcp",
                   R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                   R"("capabilities":{"roots":{}},"clientInfo":{"name":"t","version":"1"}}})",
                   fields);
    if (got.status != 200 || got.body.find("\"result\":{\"protocolVersion\":\"2025-11-25\"") == std::string::npos)
        throw std::runtime_error("greeted with: " + got.head + got.body);
    const std::string field = "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
    if (client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", field + fields).status != 202)
        throw std::runtime_error("the end of the greeting is refused");
    return field;
}

std::string mcp_gateway::call(int id, std::string_view tool, std::string_view meta)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" +
           std::string(tool) + "\",\"_meta\":" + std::string(meta) + "}}";
}

} // namespace partyline::test
