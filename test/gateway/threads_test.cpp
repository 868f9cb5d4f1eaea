// The gateway with several threads: each has servers of its own, and all else is one program's.

#include "mcp_gateway.hpp"
#include "modern_request.hpp"
#include "support/access_fixture.hpp"
#include "support/process_state.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/socket_client.hpp"
#include "support/text_search.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <list>
#include <string>
#include <vector>

using namespace partyline::test;

namespace data = boost::unit_test::data;

namespace {

constexpr std::size_t thread_count = 4;
constexpr std::string_view sum_call = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]})";
constexpr std::string_view reply_to_sum = R"({"jsonrpc":"2.0","id":1,"result":42})";

std::vector<std::string> by_threads(std::vector<std::string> more, std::size_t count = thread_count)
{
    more.insert(more.begin(), {"--threads", std::to_string(count)});
    return more;
}

// Each is on the thread after that of the one before.
std::list<http_client> clients_of(running_gateway& gateway, std::size_t count = 2 * thread_count)
{
    std::list<http_client> all;
    for (std::size_t i = 0; i != count; ++i)
        all.push_back(gateway.connect());
    return all;
}

int health_of(running_gateway& gateway)
{
    http_client client = gateway.connect();
    client.request("GET", "/healthz");
    return client.response().status;
}

bool are_all_well(running_gateway& gateway)
{
    for (std::size_t i = 0; i != thread_count; ++i)
        if (health_of(gateway) != 200)
            return false;
    return true;
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_threads, *boost::unit_test::timeout(200))

BOOST_DATA_TEST_CASE(each_has_a_server_for_requests_without_a_session, data::make({1, 2, 4}), count)
{
    running_gateway gateway(by_threads({"--", PARTYLINE_ECHO}, static_cast<std::size_t>(count)));
    std::list<http_client> clients = clients_of(gateway);
    for (http_client& one : clients)
        BOOST_TEST(one.ask("/rpc", sum_call).body == reply_to_sum);
    BOOST_TEST(gateway.servers().size() == static_cast<std::size_t>(count));
    for (http_client& one : clients)
        one.post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"delay","params":[300,7]})");
    for (http_client& one : clients)
        BOOST_TEST(one.response().body == R"({"jsonrpc":"2.0","id":1,"result":7})");
    gateway.process().signal(SIGTERM);
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(a_session_has_one_server_over_all_connections)
{
    mcp_gateway setup(by_threads({}));
    std::list<http_client> clients = clients_of(setup.gateway);
    std::vector<std::string> sessions;
    for (http_client& one : clients)
        sessions.push_back(mcp_gateway::greet(one));
    BOOST_TEST(setup.gateway.servers().size() == sessions.size());
    for (const std::string& session : sessions) {
        for (http_client& one : clients) {
            const http_response got = one.ask("/mcp", mcp_gateway::call(1, "test_simple_text"), session);
            BOOST_TEST(got.status == 200, got.body);
        }
    }
    BOOST_TEST(setup.gateway.servers().size() == sessions.size());
    for (const std::string& session : sessions) {
        clients.front().request("DELETE", "/mcp", session);
        BOOST_TEST(clients.front().response().status == 204);
    }
    setup.gateway.wait_for_servers(0);
}

BOOST_AUTO_TEST_CASE(a_shared_server_is_one_of_each_thread_and_is_started_again)
{
    mcp_gateway setup(by_threads({"--share"}));
    std::list<http_client> clients = clients_of(setup.gateway);
    std::vector<std::string> sessions;
    for (http_client& one : clients)
        sessions.push_back(mcp_gateway::greet(one));
    const std::vector<pid_t> first = setup.gateway.servers();
    BOOST_TEST(first.size() == thread_count);
    for (const pid_t one : first)
        ::kill(one, SIGKILL);
    run_until(setup.gateway.context, [&] {
        const std::vector<pid_t> now = setup.gateway.servers();
        return now.size() == thread_count &&
               std::ranges::none_of(now, [&](pid_t one) { return std::ranges::find(first, one) != first.end(); });
    });
    auto session = sessions.begin();
    for (http_client& one : clients)
        BOOST_TEST(one.ask("/mcp", mcp_gateway::call(1, "test_simple_text"), *session++).status == 200);
}

BOOST_AUTO_TEST_CASE(servers_of_connections_are_bounded_together)
{
    running_gateway gateway(by_threads({"--max-sessions", "5", "--", PARTYLINE_ECHO}));
    std::list<socket_client> clients;
    for (int i = 0; i != 5; ++i)
        clients.emplace_back(gateway.port()).expect_service();
    socket_client late(gateway.port());
    late.send(std::string(sum_call) + '\n');
    late.expect_end();
    clients.pop_front();
    gateway.wait_for_servers(4);
    run_until(gateway.context, [&] {
        http_client again = gateway.connect();
        again.send(std::string(sum_call) + '\n');
        return again.read_bytes(reply_to_sum.size()) == reply_to_sum;
    });
}

BOOST_AUTO_TEST_CASE(what_a_list_tells_one_thread_all_know)
{
    mcp_gateway setup(by_threads({}));
    std::list<http_client> clients = clients_of(setup.gateway, thread_count);
    const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_x_mcp_header",)"
                             R"("arguments":{"region":"north"},"_meta":)" +
                             modern_meta() + "}}";
    const std::string fields = modern_fields("tools/call", "test_x_mcp_header");
    const std::string list =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)" + modern_meta() + "}}";
    const std::string wrong = fields + "Mcp-Param-Region: south\r\n";
    BOOST_TEST(clients.back().ask("/mcp", call, wrong).status == 200); // which nobody can know yet
    BOOST_TEST(clients.front().ask("/mcp", list, modern_fields("tools/list")).status == 200);
    for (http_client& one : clients) {
        run_until(setup.gateway.context, [&] { return one.ask("/mcp", call, wrong).status == 400; });
        BOOST_TEST(one.ask("/mcp", call, fields + "Mcp-Param-Region: north\r\n").status == 200);
    }
}

BOOST_AUTO_TEST_CASE(one_server_that_is_given_up_is_everybodys_health)
{
    const scratch_directory folder;
    const std::string program = folder / "server";
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    running_gateway gateway(by_threads({"--retry-after", "1", "--", program}));
    std::list<http_client> clients = clients_of(gateway, 2); // of the first two threads
    for (http_client& one : clients)
        BOOST_TEST(one.ask("/rpc", sum_call).body == reply_to_sum);
    std::filesystem::remove(program);
    for (const pid_t one : gateway.servers())
        ::kill(one, SIGKILL);
    for (http_client& one : clients)
        run_until(gateway.context, [&] { return contains(one.ask("/rpc", sum_call).body, "No such file"); });
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    for (std::size_t i = 0; i != thread_count; ++i)
        BOOST_TEST(health_of(gateway) == 503); // until others have stayed up
    run_until(gateway.context, [&] { return are_all_well(gateway); });
    for (http_client& one : clients)
        BOOST_TEST(one.ask("/rpc", sum_call).body == reply_to_sum);
}

BOOST_AUTO_TEST_CASE(the_program_ends_where_the_server_of_any_thread_is_given_up_for_ever)
{
    const scratch_directory folder;
    const std::string program = folder / "server";
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    running_gateway gateway(by_threads({"--retry-after", "0", "--", program}));
    std::list<http_client> clients = clients_of(gateway, 3);
    std::filesystem::remove(program);
    clients.back().post("/rpc", sum_call);
    BOOST_TEST(gateway.process().wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(the_end_under_load_answers_what_has_come_and_leaves_no_server)
{
    mcp_gateway setup(by_threads({}));
    std::list<http_client> clients = clients_of(setup.gateway, 16);
    for (http_client& one : clients)
        mcp_gateway::greet(one);
    const std::string list =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)" + modern_meta() + "}}";
    for (http_client& one : clients) {
        for (int i = 0; i != 20; ++i)
            one.post("/mcp", list, modern_fields("tools/list"));
    }
    for (http_client& one : clients)
        BOOST_TEST(one.response().status == 200); // all have been read
    const std::vector<pid_t> servers = setup.gateway.servers();
    BOOST_TEST(servers.size() == clients.size() + thread_count);
    setup.gateway.process().signal(SIGTERM);
    for (http_client& one : clients) {
        for (int i = 0; i != 19; ++i) {
            const http_response got = one.response();
            BOOST_TEST(got.status == 200, got.head + got.body);
        }
    }
    BOOST_TEST(setup.gateway.process().wait_exit() == 128 + SIGTERM);
    for (const pid_t one : servers)
        BOOST_TEST(is_group_gone_soon(one));
}

// They read nothing, and nothing but SIGKILL ends them.
BOOST_DATA_TEST_CASE(servers_that_do_not_end_are_killed, data::make({false, true}), by_second_signal)
{
    running_gateway gateway(by_threads({"--http-drain-ms", by_second_signal ? "60000" : "2000", "--", "sh", "-c",
                                        "trap '' TERM; while :; do sleep 1; done"}));
    std::list<http_client> clients = clients_of(gateway, thread_count);
    for (http_client& one : clients)
        one.post("/rpc", sum_call);
    const std::vector<pid_t> servers = gateway.wait_for_servers(thread_count);
    http_client idle = gateway.connect();
    idle.request("GET", "/healthz");
    BOOST_TEST(idle.response().status == 200);
    gateway.process().signal(SIGTERM);
    if (by_second_signal) {
        BOOST_REQUIRE(idle.is_closed()); // the first one is under way
        gateway.process().signal(SIGTERM);
    } else {
        for (http_client& one : clients)
            BOOST_TEST(one.response().status == 503);
    }
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
    for (const pid_t one : servers)
        BOOST_TEST(is_group_gone_soon(one));
}

BOOST_AUTO_TEST_CASE(a_reload_is_seen_by_all_threads)
{
    struct files : access_fixture {
        files() { allow("add"); }
        void allow(const std::string& method)
        {
            write(R"({"tokens":[)" + entry(alice, "alice") + R"(],"rules":[{"methods":[")" + method + R"("]}]})");
        }
    } access;
    running_gateway gateway(by_threads({"--access", access.path(), "--", PARTYLINE_ECHO}));
    const std::string shown = "Authorization: Bearer " + access.alice.token + "\r\n";
    std::list<http_client> clients = clients_of(gateway);
    for (http_client& one : clients)
        BOOST_TEST(one.ask("/rpc", sum_call, shown).body == reply_to_sum);
    access.allow("echo");
    gateway.process().signal(SIGHUP);
    for (http_client& one : clients)
        run_until(gateway.context, [&] { return one.ask("/rpc", sum_call, shown).body != reply_to_sum; });
    access.allow("add");
    gateway.process().signal(SIGHUP);
    for (http_client& one : clients)
        run_until(gateway.context, [&] { return one.ask("/rpc", sum_call, shown).body == reply_to_sum; });
}

BOOST_AUTO_TEST_CASE(where_there_is_one_server_they_are_refused)
{
    const std::vector<std::string> all[] = {
        {"--threads", "2", "--stdio", "ws://127.0.0.1:1/ws"},
        {"--threads", "2", "--bus", "nats://127.0.0.1:1", "--service", "x", "--", PARTYLINE_ECHO}};
    for (const std::vector<std::string>& words : all) {
        server_process refused(PARTYLINE_GATEWAY, words);
        BOOST_TEST(refused.wait_exit() == 2);
        const std::string said = refused.errors();
        BOOST_TEST(contains(said, "'--threads' "), said);
        BOOST_TEST(contains(said, "server"), said);
    }
}

BOOST_AUTO_TEST_SUITE_END()
