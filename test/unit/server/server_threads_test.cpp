#include "running_server.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::error_code;

namespace {

// Talks until the server closes the connection, and counts the replies.
int talk(socket_client client, int count)
{
    int replies = 0;
    try {
        for (int i = 0; i < count; ++i) {
            client.send(echo_request(1) + request(2, "wait", "[]") + cancel_of(2));
            replies += client.read_line() == echo_reply(1);
            client.read_line();
        }
    } catch (const std::exception&) {
    }
    return replies;
}

std::vector<std::thread> start_clients(const running_server& s, int clients, int count, std::atomic<int>& replies)
{
    std::vector<std::thread> all;
    for (int i = 0; i < clients; ++i) {
        socket_client client = i % 2 ? s.unix_client() : s.tcp_client();
        all.emplace_back(
            [&replies, count, client = std::move(client)]() mutable { replies += talk(std::move(client), count); });
    }
    return all;
}

void join(std::vector<std::thread>& all)
{
    for (std::thread& one : all)
        one.join();
}

} // namespace

BOOST_AUTO_TEST_SUITE(server_threads, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(sessions_are_served_by_several_threads)
{
    partyline::server_options options;
    options.max_connections = 5; // so that ends and beginnings meet
    running_server s(std::move(options), 4);
    std::atomic<int> replies = 0;
    std::vector<std::thread> clients = start_clients(s, 16, 50, replies);
    join(clients);
    BOOST_TEST(replies == 16 * 50);
    for (int i = 0; i < 16; ++i)
        BOOST_TEST(!s.ends.take().why);
}

BOOST_AUTO_TEST_CASE(an_end_may_come_from_any_thread_at_any_time)
{
    for (int round = 0; round < 10; ++round) {
        running_server s({}, 4);
        std::atomic<int> replies = 0;
        std::vector<std::thread> clients = start_clients(s, 8, 1'000'000, replies);
        while (s.get().connections() < 4)
            std::this_thread::yield();
        std::thread a([&] { s.get().stop(); });
        std::thread b([&] { s.get().stop(); });
        a.join();
        b.join();
        BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
        join(clients);
    }
}

BOOST_AUTO_TEST_CASE(a_server_can_be_destroyed_while_it_runs)
{
    for (int round = 0; round < 10; ++round) {
        running_server s({}, 4);
        std::atomic<int> replies = 0;
        std::vector<std::thread> clients = start_clients(s, 8, 1'000'000, replies);
        s.destroy();
        BOOST_TEST((s.wait_end() == asio::error::operation_aborted));
        join(clients);
    }
}

BOOST_AUTO_TEST_SUITE_END()
