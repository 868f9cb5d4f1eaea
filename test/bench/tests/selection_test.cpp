#include "bench/driver/selection.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace bench;

namespace {

const std::vector<peer> one_peer = {{"other", "1.2.3", "run other", framing::content_length}};

std::vector<std::string> names(const workload& measured)
{
    std::vector<std::string> all;
    for (const contender& server : measured.contenders)
        all.push_back(server.name);
    return all;
}

options wanting(std::vector<std::string> workloads, std::string server = "")
{
    options wanted;
    wanted.workloads = std::move(workloads);
    wanted.server = std::move(server);
    return wanted;
}

} // namespace

BOOST_AUTO_TEST_SUITE(selections)

BOOST_AUTO_TEST_CASE(all_workloads_have_names_of_their_own_and_what_the_table_needs)
{
    for (const bool is_quick : {false, true}) {
        std::set<std::string> known;
        for (const workload& each : all_workloads(is_quick)) {
            BOOST_TEST(known.insert(each.name).second, each.name);
            BOOST_TEST(each.title != "");
            BOOST_TEST(!each.shown.empty());
            BOOST_TEST(!each.contenders.empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_asked_for_is_measured_in_that_order)
{
    const selection chosen = select(all_workloads(true), wanting({"idle", "echo"}), one_peer);
    BOOST_TEST_REQUIRE(chosen.workloads.size() == 2u);
    BOOST_TEST(chosen.workloads[0].name == "idle");
    BOOST_TEST(chosen.workloads[1].name == "echo");
    BOOST_CHECK_THROW(select(all_workloads(true), wanting({"echo", "no-such"}), {}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(peers_take_part_with_fewer_requests)
{
    const selection chosen = select(all_workloads(false), wanting({"echo", "start", "cancel"}), one_peer);
    const contender& in_echo = chosen.workloads[0].contenders.back();
    BOOST_TEST(in_echo.name == "other 1.2.3");
    BOOST_TEST((in_echo.how == framing::content_length));
    BOOST_TEST(in_echo.work.method == "echo");
    BOOST_TEST(!in_echo.work.echoes);
    BOOST_TEST(in_echo.work.requests == chosen.workloads[0].reference.front().work.requests / 20);
    BOOST_TEST(chosen.workloads[1].contenders.back().work.requests == 1u);
    BOOST_TEST(chosen.workloads[2].contenders.back().name != "other 1.2.3");
    BOOST_TEST(chosen.remarks.empty());
}

BOOST_AUTO_TEST_CASE(peers_take_part_where_their_protocol_is_spoken)
{
    workload measured = select(all_workloads(true), wanting({"echo"}), {}).workloads[0];
    measured.name = "tools";
    measured.contenders = {measured.contenders.back()};
    measured.contenders[0].spoken = protocol::mcp_handshake;
    measured.contenders[0].work.method = "tools/call";
    const peer speaker{"speaker", "2.0", "run speaker", framing::ndjson, protocol::mcp_handshake};
    const selection chosen = select({measured, all_workloads(true)[0]}, wanting({}), {one_peer[0], speaker});
    const contender& among_tools = chosen.workloads[0].contenders.back();
    BOOST_TEST(chosen.workloads[0].contenders.size() == 2u);
    BOOST_TEST(among_tools.name == "speaker 2.0");
    BOOST_TEST((among_tools.spoken == protocol::mcp_handshake));
    BOOST_TEST(among_tools.work.method == "tools/call");
    BOOST_TEST(chosen.workloads[1].contenders.back().name == "other 1.2.3");
    const selection without = select({measured}, wanting({}), one_peer);
    BOOST_TEST_REQUIRE(without.remarks.size() == 1u);
    BOOST_TEST(without.remarks[0].starts_with("Without peers in tools"));
}

BOOST_AUTO_TEST_CASE(gateways_of_others_take_part_beside_ours_alone)
{
    workload servers = select(all_workloads(true), wanting({"http-post"}), {}).workloads[0];
    workload gateways = servers;
    gateways.contenders[0].which = bench::program::gateway;
    peer server{"server", "1", "run server", framing::ndjson, protocol::json_rpc, service::http_rpc};
    peer gateway = server;
    gateway.name = "gateway";
    gateway.is_gateway = true;
    const selection chosen = select({servers, gateways}, wanting({}), {server, gateway});
    const contender& among_servers = chosen.workloads[0].contenders.back();
    const contender& among_gateways = chosen.workloads[1].contenders.back();
    BOOST_TEST(chosen.workloads[0].contenders.size() == servers.contenders.size() + 1);
    BOOST_TEST(chosen.workloads[1].contenders.size() == gateways.contenders.size() + 1);
    BOOST_TEST(among_servers.name == "server 1");
    BOOST_TEST((among_servers.which == bench::program::peer));
    BOOST_TEST(among_gateways.name == "gateway 1");
    BOOST_TEST((among_gateways.which == bench::program::peer_gateway));
}

BOOST_AUTO_TEST_CASE(both_framings_are_compared_by_the_same_work)
{
    const selection chosen = select(all_workloads(false), wanting({"content-length"}), {});
    const contender& by_line = chosen.workloads[0].reference.front();
    BOOST_TEST((by_line.how == framing::ndjson));
    BOOST_TEST(by_line.options == "");
    for (const contender& by_length : chosen.workloads[0].contenders) {
        BOOST_TEST((by_length.how == framing::content_length));
        BOOST_TEST(by_length.options == "--framing=content-length");
        BOOST_TEST(by_length.work.method == by_line.work.method);
        BOOST_TEST(by_length.work.requests == by_line.work.requests);
    }
}

BOOST_AUTO_TEST_CASE(missing_peers_are_mentioned)
{
    const selection chosen = select(all_workloads(true), wanting({"echo"}), {});
    BOOST_TEST_REQUIRE(chosen.remarks.size() == 1u);
    BOOST_TEST(chosen.remarks[0].starts_with("Without peers"));
}

BOOST_AUTO_TEST_CASE(the_users_server_takes_the_place_of_ours)
{
    options wanted = wanting({"echo"}, "my server");
    wanted.method = "ping";
    wanted.how = framing::content_length;
    const selection chosen = select(all_workloads(true), wanted, one_peer);
    const std::vector<std::string> expected = {"cat", "my server", "other 1.2.3"};
    BOOST_TEST(names(chosen.workloads[0]) == expected, boost::test_tools::per_element());
    const contender& users = chosen.workloads[0].contenders[1];
    BOOST_TEST(users.work.method == "ping");
    BOOST_TEST(users.echo_method == "ping");
    BOOST_TEST((users.how == framing::content_length));
    BOOST_TEST(users.targets.empty());
}

BOOST_AUTO_TEST_CASE(what_the_users_server_cannot_do_is_left_out_or_refused)
{
    const selection chosen = select(all_workloads(true), wanting({}, "my server"), one_peer);
    const auto has = [&](const char* name) {
        return std::any_of(chosen.workloads.begin(), chosen.workloads.end(),
                           [&](const workload& w) { return w.name == name; });
    };
    BOOST_TEST(has("echo"));
    BOOST_TEST(has("ping-pong"));
    BOOST_TEST(has("start"));
    BOOST_TEST(!has("cancel"));
    BOOST_TEST(!has("pool"));
    BOOST_TEST(std::count_if(chosen.remarks.begin(), chosen.remarks.end(),
                             [](const std::string& r) { return r.starts_with("Without cancel"); }) == 1);
    BOOST_CHECK_THROW(select(all_workloads(true), wanting({"cancel"}, "my server"), {}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
