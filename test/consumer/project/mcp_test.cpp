// A user's test of an MCP server against the installed library.
#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/testing/test_client.hpp>

namespace mcp = partyline::mcp;

int main()
{
    mcp::server server("consumer", "1.0.0");
    server.add_tool("add", "Adds two numbers.", [](int a, int b) { return a + b; }, {{"a", "First"}, {"b", "Second"}});
    mcp::test_client client(server, mcp::era::modern);
    const bool is_right = client.call("add", partyline::named("a", 1, "b", 2)).as<int>() == 3;
    return is_right && client.schema_problems().empty() ? 0 : 1;
}
