// An MCP server that clients start by its command, for tests.

#include <partyline/mcp/mcp.hpp>

#include <boost/describe/class.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

struct sum_args {
    int a = 0;
    int b = 0;
};
BOOST_DESCRIBE_STRUCT(sum_args, (), (a, b))

} // namespace

int main()
{
    partyline::mcp::server server("child", "1.0");
    server.add_tool("add", "Adds.", [](sum_args of) { return of.a + of.b; });
    server.add_tool("die", "Ends the server in the middle of the call.", [] {
        std::fputs("no more\n", stderr);
        std::_Exit(3);
    });
    return server.run_stdio();
}
