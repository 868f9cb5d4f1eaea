// How a gateway begins and ends, and what becomes of its servers then.

#include "running_gateway.hpp"
#include "support/descriptors.hpp"
#include "support/process_state.hpp"
#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using partyline::test::children_of;
using partyline::test::http_client;
using partyline::test::http_program;
using partyline::test::run_until;
using partyline::test::running_gateway;
using partyline::test::server_process;

namespace {

constexpr std::string_view addition = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[2,40]})";
constexpr std::string_view added = R"({"jsonrpc":"2.0","id":1,"result":42})";

// It reads nothing, and nothing but SIGKILL ends it.
const std::vector<std::string> stubborn{"--", "sh", "-c", "trap '' TERM; while :; do sleep 1; done"};

std::vector<std::string> with(std::vector<std::string> options, const std::vector<std::string>& server)
{
    options.insert(options.end(), server.begin(), server.end());
    return options;
}

int health(running_gateway& gateway)
{
    http_client client = gateway.connect();
    client.request("GET", "/healthz");
    return client.response().status;
}

boost::test_tools::assertion_result may_unshare(boost::unit_test::test_unit_id)
{
    boost::test_tools::assertion_result may =
        std::system("unshare --pid --fork --mount-proc true 2>/dev/null") == 0; // NOLINT(concurrency-mt-unsafe)
    may.message() << "process namespaces may not be made here";
    return may;
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_end, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(the_drain_time_bounds_the_end_as_a_whole)
{
    running_gateway gateway(with({"--http-drain-ms", "2000"}, stubborn));
    http_client client = gateway.connect();
    client.post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"x","params":[")" + std::string(500'000, 'x') + "\"]}");
    const pid_t server = gateway.wait_for_servers(1).front();
    const auto began = std::chrono::steady_clock::now();
    gateway.process().signal(SIGTERM);
    BOOST_TEST(client.response().status == 503); // in order, all the same
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
    BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds(15)));
    BOOST_TEST(partyline::test::is_group_gone_soon(server));
}

// rule: security.descriptors.orphans
BOOST_AUTO_TEST_CASE(a_second_signal_leaves_no_server)
{
    running_gateway gateway(stubborn);
    http_client client = gateway.connect();
    client.post("/rpc", addition);
    const pid_t server = gateway.wait_for_servers(1).front();
    http_client idle = gateway.connect();
    idle.request("GET", "/healthz");
    BOOST_TEST(idle.response().status == 200);
    gateway.process().signal(SIGTERM);
    BOOST_REQUIRE(idle.is_closed()); // the first one is under way
    gateway.process().signal(SIGTERM);
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
    BOOST_TEST(partyline::test::is_group_gone_soon(server));
}

BOOST_AUTO_TEST_CASE(a_program_that_is_not_there_is_told_at_the_start)
{
    for (const char* name : {"/nowhere/server", "no-such-program", "/", ""}) {
        server_process gateway(PARTYLINE_GATEWAY, {"--listen", "127.0.0.1:0", "--", name});
        BOOST_TEST(gateway.wait_exit() == 2);
        const std::string said = gateway.errors();
        const std::string wanted = *name ? "cannot start '" + std::string(name) + "': " : "name the server";
        BOOST_TEST(said.find(wanted) != said.npos, said);
    }
}

BOOST_AUTO_TEST_CASE(a_program_is_found_by_the_path)
{
    running_gateway gateway({"--", "sh", "-c", "exec " + std::string(PARTYLINE_ECHO)});
    http_client client = gateway.connect();
    BOOST_TEST(client.ask("/rpc", addition).body == added);
}

BOOST_AUTO_TEST_CASE(a_shared_server_that_was_given_up_is_tried_again)
{
    const partyline::test::scratch_directory folder;
    const std::string program = folder / "server";
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    running_gateway gateway({"--retry-after", "1", "--", program});
    BOOST_TEST(health(gateway) == 200);
    std::filesystem::remove(program);
    BOOST_TEST(health(gateway) == 503);
    http_client client = gateway.connect();
    BOOST_TEST(client.ask("/rpc", addition).body.find("-32603") != std::string::npos);
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    run_until(gateway.context, [&] { return health(gateway) == 200; });
    BOOST_TEST(client.ask("/rpc", addition).body == added);
}

BOOST_AUTO_TEST_CASE(or_else_the_gateway_ends)
{
    const partyline::test::scratch_directory folder;
    const std::string program = folder / "server";
    std::filesystem::create_symlink(PARTYLINE_ECHO, program);
    running_gateway gateway({"--retry-after", "0", "--", program});
    std::filesystem::remove(program);
    http_client client = gateway.connect();
    client.post("/rpc", addition);
    BOOST_TEST(gateway.process().wait_exit() == 3);
}

BOOST_AUTO_TEST_CASE(a_server_of_one_client_is_not_the_gateways_health)
{
    running_gateway gateway({"--", "sh", "-c", "exit 1"});
    http_client lines = gateway.connect();
    lines.send(std::string(addition) + '\n');
    BOOST_TEST(lines.read_bytes(20).starts_with("{\"jsonrpc\"")); // that its server has failed
    BOOST_TEST(health(gateway) == 200);
}

BOOST_AUTO_TEST_CASE(process_1_of_a_container_reaps_what_servers_leave, *boost::unit_test::precondition(may_unshare))
{
    const partyline::test::scratch_directory folder;
    const std::string flag = folder / "flag"; // what is left behind lives until this is removed
    partyline::test::write_file(flag, "");
    const std::string server =
        "(setsid sh -c 'while [ -e " + flag + " ]; do sleep 0.05; done' &); exec " + PARTYLINE_ECHO;
    http_program gateway("/usr/bin/unshare", {"--pid", "--fork", "--mount-proc", "--kill-child", PARTYLINE_GATEWAY,
                                              "--listen", "127.0.0.1:0", "--", "sh", "-c", server});
    boost::asio::io_context context(1);
    http_client client(context, gateway.port());
    BOOST_TEST(client.ask("/rpc", addition).body == added);
    const pid_t first = children_of(gateway.process().id()).front(); // which reaps
    const pid_t program = children_of(first).front();
    run_until(context, [&] { return children_of(first).size() == 2; }); // the program, and what its server has left
    std::filesystem::remove(flag);
    run_until(context, [&] { return children_of(first).size() == 1; });
    client.post("/rpc", R"({"jsonrpc":"2.0","id":2,"method":"delay","params":[100000,1]})");
    run_until(context, [&] { return !children_of(program).empty(); });
    ::kill(children_of(program).front(), SIGKILL);
    const std::string failed = client.response().body; // the exit status is the one that it had
    BOOST_TEST(failed.find("signal 9") != failed.npos, failed);
    ::kill(first, SIGTERM); // as whoever ends a container does
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(process_1_passes_inherited_sockets_and_signals_on, *boost::unit_test::precondition(may_unshare))
{
    // As podman hands sockets to a container: to its process 1.
    const std::string start =
        "import os,socket,sys;s=socket.socket();s.bind(('127.0.0.1',0));s.listen();"
        "print('listening on 127.0.0.1:%d'%s.getsockname()[1],file=sys.stderr,flush=True);os.dup2(s.fileno(),3);"
        "os.environ.update(LISTEN_PID='1',LISTEN_FDS='1');os.execv(sys.argv[1],sys.argv[1:])";
    http_program gateway("/usr/bin/unshare", {"--pid", "--fork", "--mount-proc", "--kill-child", "python3", "-c", start,
                                              PARTYLINE_GATEWAY, "--http-inherited", "--", PARTYLINE_ECHO});
    boost::asio::io_context context(1);
    http_client client(context, gateway.port());
    BOOST_TEST(client.ask("/rpc", addition).body == added);
    const pid_t first = children_of(gateway.process().id()).front();
    ::kill(first, SIGTERM);
    BOOST_TEST(client.is_closed());
    BOOST_TEST(gateway.process().wait_exit() == 128 + SIGTERM);
}

BOOST_AUTO_TEST_SUITE_END()
