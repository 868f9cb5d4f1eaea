// Programs that serve by several threads.

#include "support/http_client.hpp"
#include "support/http_program.hpp"
#include "support/requests.hpp"
#include "support/socket_client.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#include <signal.h>

namespace asio = boost::asio;
using namespace partyline::test;

namespace {

std::ptrdiff_t threads_of(const http_program& s)
{
    return std::distance(std::filesystem::directory_iterator("/proc/" + std::to_string(s.process().id()) + "/task"),
                         {});
}

constexpr std::string_view add = R"({"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]})";
constexpr std::string_view sum = R"({"jsonrpc":"2.0","id":1,"result":3})";

} // namespace

BOOST_AUTO_TEST_SUITE(threads, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(serve_http_and_end_in_order)
{
    std::ptrdiff_t alone = 0;
    for (const int count : {1, 2, 4}) {
        http_program s(PARTYLINE_ECHO, {"--listen", "127.0.0.1:0", "--threads", std::to_string(count)});
        alone = count == 1 ? threads_of(s) : alone;
        BOOST_TEST(threads_of(s) == alone + count - 1);
        asio::io_context context;
        std::list<http_client> clients;
        for (int i = 0; i != 8; ++i) {
            BOOST_TEST(clients.emplace_back(context, s.port()).ask("/rpc", add).body == sum);
            socket_client lines(s.port());
            lines.send(std::string(add) + '\n');
            BOOST_TEST(lines.read_line() == sum);
        }
        for (http_client& one : clients)
            one.post("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"delay","params":[300,7]})");
        for (http_client& one : clients) // which is served by then
            BOOST_TEST(one.response().body == R"({"jsonrpc":"2.0","id":1,"result":7})");
        s.process().signal(SIGTERM);
        for (http_client& one : clients)
            one.close();
        BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
    }
}

BOOST_AUTO_TEST_CASE(serve_sessions_on_sockets)
{
    http_program s(PARTYLINE_ECHO, {"--tcp", "127.0.0.1:0", "--threads", "4"});
    std::list<socket_client> clients;
    for (int i = 0; i != 8; ++i) {
        socket_client& one = clients.emplace_back(s.port());
        one.send(std::string(add) + '\n');
        BOOST_TEST(one.read_line() == sum);
    }
    s.process().signal(SIGTERM);
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
}

// On either thread: with the first one, whose context has to stop, the end is by force at once.
BOOST_DATA_TEST_CASE(a_second_signal_ends_what_a_handler_holds_up, boost::unit_test::data::make({0, 1}), stuck)
{
    http_program s(PARTYLINE_STUCK_SERVER, {});
    asio::io_context context;
    std::list<http_client> clients;
    for (int i = 0; i != 2; ++i)
        clients.emplace_back(context, s.port());
    for (http_client& one : clients)
        BOOST_TEST(one.ask("/rpc", R"({"jsonrpc":"2.0","id":1,"method":"ping"})").status == 200);
    std::next(clients.begin(), stuck)->post("/rpc", R"({"jsonrpc":"2.0","id":2,"method":"never"})");
    BOOST_TEST(s.errors().read_line().value_or("") == "stuck");
    s.process().signal(SIGTERM);
    if (stuck != 0)
        BOOST_TEST(clients.front().is_closed()); // the first signal is under way
    s.process().signal(SIGTERM);
    BOOST_TEST(s.process().wait_exit() == 128 + SIGTERM);
    BOOST_TEST(s.errors().read_line().value_or("").find("ends by force") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
