// The program partyline-tools with several threads: a session is the same over all connections.

#include "folders.hpp"
#include "support/http_client.hpp"
#include "support/http_program.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <string>

#include <signal.h>

using partyline::test::http_client;
using partyline::test::http_program;
using partyline::test::http_response;

namespace {

constexpr std::string_view greeting =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
constexpr std::string_view call =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"seconds":0.01}}})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(tools_threads, tools::test::folders, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(sessions_are_found_over_all_connections)
{
    http_program s(PARTYLINE_TOOLS, {"--root", root.string(), "--http", "127.0.0.1:0", "--threads", "4"});
    boost::asio::io_context context;
    std::list<http_client> clients;
    for (int i = 0; i != 8; ++i) {
        http_client& one = clients.emplace_back(context, s.port());
        const http_response got = one.ask("/mcp", greeting);
        BOOST_TEST_REQUIRE(got.status == 200);
        const std::string session = "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
        one.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
        for (http_client& each : clients) {
            const http_response called = each.ask("/mcp", call, session);
            BOOST_TEST(called.status == 200, called.body);
        }
    }
    s.process().signal(SIGTERM);
    clients.clear();
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()
