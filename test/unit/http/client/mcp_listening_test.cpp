// What mcp::client listens to over HTTP, where each subscription is a request with a connection of its own.

#include "client/client_fixture.hpp"
#include "client/fickle_server.hpp"

#include <partyline/http.hpp>
#include <partyline/mcp/client.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

using namespace partyline;
using namespace std::chrono_literals;
using partyline::test::asked_request;
using partyline::test::fickle_server;
namespace asio = boost::asio;

namespace {

std::string acknowledged(const asked_request& asked, const std::string& what)
{
    return test::event_answer(R"(data: {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
                              R"({"notifications":)" +
                              what + R"(,"_meta":{"io.modelcontextprotocol/subscriptionId":)" + asked.member("id") +
                              "}}}\n\n");
}

// Each subscription is acknowledged, and then its connection breaks.
std::string answer(const asked_request& asked)
{
    if (asked.member("method") == "server/discover")
        return test::result_answer(asked,
                                   R"({"resultType":"complete","supportedVersions":["2026-07-28"],)"
                                   R"("capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true}},)"
                                   R"("ttlMs":0,"cacheScope":"private"})");
    const bool is_of_lists = asked.body.find("toolsListChanged") != std::string::npos;
    return acknowledged(asked, is_of_lists ? R"({"toolsListChanged":true})" : R"({"resourceSubscriptions":["a:b"]})");
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_mcp_listening, *boost::unit_test::timeout(60))

// rule: mcp.listen.again
BOOST_AUTO_TEST_CASE(what_breaks_is_listened_to_again_and_the_gap_is_told)
{
    asio::io_context context{1};
    fickle_server server(context, answer, fickle_server::after_answer::close);
    mcp::client_options how;
    how.era = mcp::wanted_era::modern;
    how.listen_pause = 1ms;
    how.session.executor_is_serial = true;
    std::vector<std::string> logged;
    how.session.log = [&](std::string_view line) { logged.emplace_back(line); };
    mcp::client client(http::mcp_client(context.get_executor(), server.address()), how);
    int changes = 0;
    int updates = 0;
    client.on_tools_changed([&] { ++changes; });
    client.on_resource_updated([&](const std::string& uri) { updates += uri == "a:b" ? 1 : 0; });
    std::optional<error_code> subscribed;
    client.start()([&](error_code failed, auto) {
        BOOST_TEST(!failed);
        client.subscribe("a:b")([&](error_code why, auto) { subscribed = why; });
    });
    test::run_until(context, [&] { return subscribed && changes >= 2 && updates >= 2; });
    BOOST_TEST(!*subscribed);
    BOOST_TEST(logged.empty());
    std::optional<error_code> closed;
    client.close()([&](error_code failed, auto) { closed = failed; });
    test::run_until(context, [&] { return closed.has_value(); });
}

BOOST_AUTO_TEST_SUITE_END()
