#include "support/requests.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

#include <signal.h>

using namespace partyline::test;

namespace {

using counters = std::map<std::string, std::uint64_t>;

// Counts the bytes of a conversation that goes step by step.
struct counted_server : echo_server {
    explicit counted_server(std::vector<std::string> options) : echo_server(std::move(options)) {}

    void say(std::string_view lines)
    {
        send_bytes(lines);
        bytes_in += lines.size();
    }

    std::string hear()
    {
        const std::string line = read_line();
        bytes_out += line.size() + 1;
        peak_outbox_bytes = std::max(peak_outbox_bytes, line.size() + 1);
        return line;
    }

    std::size_t bytes_in = 0;
    std::size_t bytes_out = 0;
    std::size_t peak_outbox_bytes = 0;
};

void compare(const counters& seen, const counters& expected)
{
    BOOST_TEST(seen.size() == expected.size());
    for (const auto& [name, value] : expected) {
        BOOST_TEST_CONTEXT(name)
        {
            BOOST_TEST_REQUIRE(seen.contains(name));
            BOOST_TEST(seen.at(name) == value);
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(stats, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(nothing_said_is_nothing_counted)
{
    echo_server s({"--stats"});
    s.close_input();
    s.expect_end(0);
    const counters seen = s.stats();
    BOOST_TEST(seen.size() == 24u);
    for (const auto& [name, value] : seen)
        BOOST_TEST(value == 0u, name);
}

BOOST_AUTO_TEST_CASE(each_counter_counts_what_it_says)
{
    counted_server s({"--stats"});
    s.say(echo_request(1));
    s.hear();
    s.say(notification("echo", "[]"));
    s.say(notification("nothing", "[]"));                   // dropped
    s.say("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":1}\n"); // nobody waits for it
    s.say("rubbish\n");
    s.hear();
    s.say(R"([{"jsonrpc":"2.0","id":2,"method":"echo"},{"jsonrpc":"2.0","method":"echo"},)"
          R"({"jsonrpc":"2.0","id":3,"method":"nothing"},{}])"
          "\n");
    s.hear();
    s.say(endless_request(4) + endless_request(5));
    s.say(cancel_of(9));
    s.say(cancel_of(4));
    s.hear();
    s.say(cancel_of(5));
    s.hear();
    s.say(request(6, "count", R"({"to":1})"));
    s.hear();
    s.hear();
    s.close_input();
    s.expect_end(0);
    counters seen = s.stats();
    // A batch's results are held with it until it is complete.
    BOOST_TEST(seen["peak_outbox_bytes"] >= s.peak_outbox_bytes);
    BOOST_TEST(seen["peak_outbox_bytes"] <= 2 * s.peak_outbox_bytes);
    seen.erase("peak_outbox_bytes");
    compare(seen, {{"messages_in", 12},
                   {"messages_out", 7},
                   {"bytes_in", s.bytes_in},
                   {"bytes_out", s.bytes_out},
                   {"requests", 6},
                   {"notifications", 3},
                   {"busy", 0},
                   {"cancelled", 2},
                   {"dropped", 1},
                   {"calls", 0},
                   {"late_replies", 0},
                   {"stray_replies", 1},
                   {"bad_replies", 0},
                   {"coalesced_progress", 0},
                   {"in_flight", 0},
                   {"peak_in_flight", 2},
                   {"open_calls", 0},
                   {"peak_open_calls", 0},
                   {"waiting", 0},
                   {"peak_waiting", 0},
                   {"waiting_bytes", 0},
                   {"peak_waiting_bytes", 0},
                   {"outbox_bytes", 0}});
}

BOOST_AUTO_TEST_CASE(what_waits_and_what_is_refused_is_counted)
{
    echo_server s({"--stats", "--max-in-flight", "2", "--max-waiting", "3"});
    const std::string waiting = numbered(2, 3, echo_request);
    s.send_bytes(numbered(0, 2, endless_request) + waiting + numbered(5, 4, echo_request));
    for (std::uint64_t id = 5; id < 9; ++id)
        s.expect_error(std::to_string(id), -31001);
    s.send_bytes(cancel_of(0));
    s.expect_error("0", -32800);
    for (std::uint64_t id = 2; id < 5; ++id)
        s.expect(echo_reply(id));
    s.send_bytes(cancel_of(1));
    s.expect_error("1", -32800);
    s.close_input();
    s.expect_end(0);
    counters seen = s.stats();
    BOOST_TEST(seen["requests"] == 9u);
    BOOST_TEST(seen["busy"] == 4u);
    BOOST_TEST(seen["cancelled"] == 2u);
    BOOST_TEST(seen["peak_in_flight"] == 2u);
    BOOST_TEST(seen["peak_waiting"] == 3u);
    BOOST_TEST(seen["peak_waiting_bytes"] == waiting.size() - 3); // without the newlines
    BOOST_TEST(seen["messages_out"] == 9u);
}

BOOST_AUTO_TEST_CASE(a_signal_does_not_keep_the_counters_from_being_printed)
{
    echo_server s({"--stats"});
    s.send_bytes(endless_request(1));
    s.expect_silence();
    s.child().signal(SIGTERM);
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
    BOOST_TEST(s.stats()["requests"] == 2u);
    BOOST_TEST(s.stats()["cancelled"] == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
