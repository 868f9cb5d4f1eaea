// What any local user may do to the sample server on sockets, and what it must not cost the others.

#include "support/descriptors.hpp"
#include "support/http_program.hpp"
#include "support/listening_server.hpp"
#include "support/process_state.hpp"
#include "support/requests.hpp"
#include "support/sanitized.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>

using namespace partyline::test;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

namespace {

const std::string long_request = request(1, "delay", R"({"ms":15000})");

// Each further one has descriptors of its own, from its first connection on.
const std::vector<std::string> by_one_thread{"--threads", "1"};

// How long it takes until the server has no more descriptors than that.
std::chrono::milliseconds time_to_reach(listening_server& s, std::size_t descriptors)
{
    const auto start = steady::now();
    while (descriptors_of(s.child().id()) > descriptors) {
        if (steady::now() - start > patience)
            throw std::runtime_error("the server keeps its descriptors");
        std::this_thread::sleep_for(5ms); // between two looks: the system does not tell of this
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - start);
}

// Forty that send this and close. The server has accepted all of them, in order, once it serves the next one.
template <class Connect>
void send_and_close(std::string_view text, Connect connect)
{
    for (int i = 0; i < 40; ++i) {
        socket_client client = connect();
        client.send(text);
        client.close();
    }
    connect().expect_service();
}

// What was there before anybody came; a client has been served and has gone.
std::size_t descriptors_at_rest(listening_server& s)
{
    const std::size_t before = descriptors_of(s.child().id());
    s.unix_client().expect_service();
    time_to_reach(s, before);
    return before;
}

boost::test_tools::assertion_result has_all_descriptors_to_itself(boost::unit_test::test_unit_id)
{
    boost::test_tools::assertion_result known(!is_sanitized);
    known.message() << "a sanitizer needs descriptors of its own";
    return known;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hostile_peers, *boost::unit_test::timeout(100))

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(forty_unix_peers_that_send_a_long_request_and_close_keep_nothing)
{
    listening_server s(by_one_thread);
    const std::size_t before = descriptors_at_rest(s);
    send_and_close(long_request, [&] { return s.unix_client(); });
    const auto time = time_to_reach(s, before);
    BOOST_TEST((time < 3s), time.count() << " ms"); // neither the 15 s of the request nor the 5 s of the drain timeout
    s.unix_client().expect_service();
}

BOOST_AUTO_TEST_CASE(forty_tcp_peers_that_send_a_long_request_and_close_keep_nothing_for_long)
{
    listening_server s(by_one_thread);
    const std::size_t before = descriptors_at_rest(s);
    send_and_close(long_request, [&] { return s.tcp_client(); });
    const auto time = time_to_reach(s, before);
    BOOST_TEST((time > 3s && time < 10s), time.count() << " ms"); // the drain timeout's 5 s
    s.tcp_client().expect_service();
}

BOOST_AUTO_TEST_CASE(they_keep_nothing_at_all_where_half_a_close_means_a_whole_one)
{
    listening_server s({"--threads", "1", "--end-of-input", "peer-gone"});
    const std::size_t before = descriptors_at_rest(s);
    send_and_close(long_request, [&] { return s.tcp_client(); });
    const auto time = time_to_reach(s, before);
    BOOST_TEST((time < 3s), time.count() << " ms");
}

// rule: security.access.gone
BOOST_AUTO_TEST_CASE(thousands_of_connections_that_send_and_close_leave_nothing_behind)
{
    listening_server s(by_one_thread);
    const std::size_t before = descriptors_at_rest(s);
    for (int i = 0; i < 1500; ++i) {
        s.unix_client().send(long_request);
        s.tcp_client().send(echo_request(1));
    }
    s.unix_client().expect_service();
    s.tcp_client().expect_service();
    time_to_reach(s, before);
}

BOOST_AUTO_TEST_CASE(few_descriptors_are_shared_out_again,
                     *boost::unit_test::precondition(has_all_descriptors_to_itself))
{
    listening_server s("ulimit -n 64", {});
    const std::size_t before = descriptors_at_rest(s);
    std::deque<socket_client> clients;
    for (int i = 0; i < 100; ++i)
        clients.push_back(s.unix_client());
    clients.front().expect_service();
    const std::string line = s.errors().read_line().value_or("(end)");
    BOOST_TEST(contains(line, "Too many open files"), line);
    BOOST_TEST(!clients.back().has_output());
    clients.back().send(echo_request(1));
    while (clients.size() > 1)
        clients.pop_front();
    clients.back().expect(echo_reply(1)); // the last one has its turn
    clients.clear();
    time_to_reach(s, before);
    s.tcp_client().expect_service();
}

// rule: security.access.pages
BOOST_AUTO_TEST_CASE(a_web_page_can_not_call_the_server)
{
    listening_server s({"--stats"});
    const std::string body = notification("log", R"(["executed"])") + echo_request(1) + echo_request(2);
    for (int i = 0; i < 2; ++i) {
        socket_client page = s.tcp_client();
        page.send("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: " +
                  std::to_string(body.size()) + "\r\n\r\n" + body);
        page.expect_end();
    }
    s.unix_client().expect_service();
    s.child().signal(SIGTERM);
    const std::string said = s.errors().read_rest();
    BOOST_TEST(count_of(said, "an HTTP or TLS request came") == 1, said);
    BOOST_TEST(count_of(said, "executed") == 0, said);
    BOOST_TEST(count_of(said, "requests: 0") >= 2, said);
}

// rule: security.access.unfinished
BOOST_AUTO_TEST_CASE(who_says_nothing_does_not_lock_others_out)
{
    listening_server s({"--max-connections", "4", "--first-message-timeout", "0.2", "--idle-timeout", "0.2"});
    std::deque<socket_client> quiet;
    for (int i = 0; i < 4; ++i)
        quiet.push_back(i % 2 ? s.unix_client() : s.tcp_client());
    quiet.front().expect_service(); // and then nothing
    s.unix_client().expect_service();
    s.tcp_client().expect_service();
}

// rule: security.access.unfinished
BOOST_AUTO_TEST_CASE(who_says_nothing_is_not_kept_at_the_one_port_for_all)
{
    http_program s(PARTYLINE_ECHO, {"--listen", "127.0.0.1:0", "--idle-timeout", "0.2"});
    socket_client quiet(s.port());
    quiet.expect_service();
    quiet.expect_end();
    socket_client(s.port()).expect_service();
}

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(one_address_does_not_lock_others_out)
{
    listening_server s({"--max-connections", "4", "--max-connections-per-address", "2"});
    socket_client first = s.tcp_client();
    socket_client second = s.tcp_client();
    second.expect_service();
    for (int i = 0; i < 20; ++i)
        s.tcp_client().expect_end();
    s.unix_client().expect_service();
    first.expect_service();
}

// rule: security.access.connections
BOOST_AUTO_TEST_CASE(behind_a_proxy_one_address_does_not_lock_others_out)
{
    http_program s(PARTYLINE_ECHO,
                   {"--listen", "127.0.0.1:0", "--proxy-protocol", "--max-connections-per-address", "1"});
    socket_client first(s.port());
    first.send("PROXY TCP4 192.0.2.1 192.0.2.9 56324 443\r\n");
    first.expect_service();
    for (int i = 0; i < 20; ++i) {
        socket_client again(s.port());
        again.send("PROXY TCP4 192.0.2.1 192.0.2.9 56325 443\r\n");
        again.expect_end();
    }
    socket_client other(s.port());
    other.send("PROXY TCP4 192.0.2.2 192.0.2.9 56324 443\r\n");
    other.expect_service();
    first.expect_service();
}

BOOST_AUTO_TEST_SUITE_END()
