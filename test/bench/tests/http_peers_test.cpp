// Servers over HTTP that are right, and servers that are not.

#include "bench/driver/results.hpp"
#include "bench_program.hpp"
#include "support/descriptors.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

using bench::test::outcome;
using bench::test::run_bench;
using partyline::test::contains;

namespace {

outcome run_with_peer(const std::string& command, const char* workload = "http-post", const char* spoken = "http")
{
    const partyline::test::scratch_directory folder;
    const boost::json::array peers{
        {{"name", "other"}, {"version", "1.0"}, {"command", command}, {"framing", "ndjson"}, {"protocol", spoken}}};
    partyline::test::write_file(folder / "peers.json", boost::json::serialize(peers));
    return run_bench({"--quick", "--rounds", "1", "--timeout", "1", "--workload", workload, "--peers",
                      (folder / "peers.json").string()});
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_peers, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_peer_that_serves_http_takes_part)
{
    const std::string server = std::string("'") + PARTYLINE_ECHO + "' --http 127.0.0.1:0";
    const outcome run = run_with_peer(server);
    BOOST_TEST_REQUIRE(run.code == 0, run.err);
    const auto printed = boost::json::value_to<bench::results>(boost::json::parse(run.out));
    BOOST_TEST(printed.transport == "TCP on loopback");
    const bench::row& peer = printed.workloads.at(0).rows.back();
    BOOST_TEST(peer.name == "other 1.0");
    BOOST_TEST(peer.kind == "peer");
    BOOST_TEST(peer.median.at("cpu_us") > 0);
}

BOOST_AUTO_TEST_CASE(a_peer_that_serves_websocket_takes_part_there_alone)
{
    const std::string server = std::string("'") + PARTYLINE_ECHO + "' --http 127.0.0.1:0";
    const outcome run = run_with_peer(server, "websocket-echo", "websocket");
    BOOST_TEST_REQUIRE(run.code == 0, run.err);
    const auto printed = boost::json::value_to<bench::results>(boost::json::parse(run.out));
    BOOST_TEST(printed.transport == "TCP on loopback");
    const bench::row& peer = printed.workloads.at(0).rows.back();
    BOOST_TEST(peer.name == "other 1.0");
    BOOST_TEST(peer.median.at("cpu_us") > 0);
    const outcome posts = run_with_peer(server, "http-post", "websocket");
    BOOST_TEST_REQUIRE(posts.code == 0, posts.err);
    BOOST_TEST(contains(posts.out, "Without peers in http-post"));
}

#ifdef PARTYLINE_GATEWAY

BOOST_AUTO_TEST_CASE(a_gateway_of_others_takes_part_with_our_server_behind_it)
{
    const std::string gateway = std::string("'") + PARTYLINE_GATEWAY + "' --http 127.0.0.1:0 --";
    const outcome run = run_with_peer(gateway, "http-gateway-mcp", "mcp-gateway");
    BOOST_TEST_REQUIRE(run.code == 0, run.err);
    const auto printed = boost::json::value_to<bench::results>(boost::json::parse(run.out));
    const bench::row& peer = printed.workloads.at(0).rows.back();
    BOOST_TEST(peer.name == "other 1.0");
    BOOST_TEST(peer.command == "other 1.0");
    BOOST_TEST(peer.kind == "peer");
    BOOST_TEST(peer.median.at("cpu_us") > 0);
}

#endif

BOOST_AUTO_TEST_CASE(a_peer_that_is_no_such_server_is_told)
{
    const std::pair<std::string, const char*> rows[] = {
        {"true", "http-post, other 1.0: ended with exit code 0 before it listened"},
        {"sleep 60", "does not say on its standard error where it is listening"},
        {"sh -c 'echo listening on http://127.0.0.1:9 >&2; sleep 60'", "connect: Connection refused"},
        {std::string("'") + PARTYLINE_BEAST_HTTP + "'", "other 1.0: "}, // it gives back the request
        {std::string("'") + PARTYLINE_ECHO + "' --tcp 127.0.0.1:0", "other 1.0: "},
    };
    for (const auto& [command, words] : rows) {
        const outcome run = run_with_peer(command);
        BOOST_TEST(run.code == 1, command);
        BOOST_TEST(run.out == "");
        BOOST_TEST(contains(run.err, words), run.err);
    }
}

BOOST_AUTO_TEST_CASE(a_peer_that_does_not_serve_websocket_is_told)
{
    const std::pair<std::string, const char*> rows[] = {
        {std::string("'") + PARTYLINE_BEAST_HTTP + "'", "other 1.0: does not speak WebSocket: 'HTTP/1.1 200 OK"},
        {std::string("'") + PARTYLINE_BEAST_WEBSOCKET + "'", "other 1.0: "}, // it gives back the request
    };
    for (const auto& [command, words] : rows) {
        const outcome run = run_with_peer(command, "websocket-echo", "websocket");
        BOOST_TEST(run.code == 1, command);
        BOOST_TEST(contains(run.err, words), run.err);
    }
}

BOOST_AUTO_TEST_SUITE_END()
