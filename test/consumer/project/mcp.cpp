// A user's MCP server against the installed library.
#include <partyline/mcp/mcp.hpp>

int main()
{
    partyline::mcp::server server("consumer", "1.0.0");
    server.add_tool("add", "Adds two numbers.", [](int a, int b) { return a + b; }, {{"a", "First"}, {"b", "Second"}});
    return server.methods()->find("tools/call") ? 0 : 1;
}
