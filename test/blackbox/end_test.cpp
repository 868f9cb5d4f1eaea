#include "support/sanitized.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

#include <signal.h>

namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;

namespace {

const std::string endless = R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":60000}})";

struct stopwatch {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    bool shows_less_than(std::chrono::milliseconds time) const
    {
        return std::chrono::steady_clock::now() - start < time;
    }
};

// What it prints to stderr can be waited for.
struct careless_server : noisy_server {
    explicit careless_server(pipe_ends errors = make_pipe())
        : noisy_server(pipe_wire(), errors.write.get()), errors_(std::move(errors.read))
    {
    }

    std::string error_line() { return errors_.read_line().value_or("(end)"); }
    void run_stubborn_handler()
    {
        send(R"({"jsonrpc":"2.0","id":1,"method":"stubborn"})");
        send(R"({"jsonrpc":"2.0","id":2,"method":"output_of","params":["echo ready"]})");
        expect(R"({"jsonrpc":"2.0","id":2,"result":"ready\n"})");
    }
    void run_blocking_handler()
    {
        send(R"({"jsonrpc":"2.0","id":1,"method":"block"})");
        BOOST_TEST(error_line() == "blocking");
    }

private:
    line_reader errors_;
};

// Cancellation has two seconds to work; the rest is slack for a busy machine.
constexpr std::chrono::milliseconds grace_and_slack = is_sanitized ? 15s : 6s;

} // namespace

// apps/guide/end.md, row by row, and where it is tested:
//   input ends                     here: everything_in_flight…, a_last_line…; open-ended: unit_session.conversation_end
//   drain_timeout                  here: what_still_runs…; replies after it: output.finished_replies_wait…
//   the reader is gone             output.a_reader_that_leaves…, for pipe, socket, terminal and closed descriptor
//   a stream fails                 output.a_full_disk…, input.what_cannot_be_read…
//   write_stall                    here: a_peer_that_stops_reading…
//   no room for a notification     admission.a_notification_that_may_not_even_wait…
//   signals                        here: a_signal…, a_second_signal…
//   stop() from another thread     unit_transport.session_threads
//   destruction                    unit_transport.session_threads, unit_session.conversation_end
//   cancellation ignored           here: a_handler_that…

BOOST_AUTO_TEST_SUITE(end, *boost::unit_test::timeout(100))

// rule: jsonrpc.response.reply
BOOST_AUTO_TEST_CASE(everything_in_flight_is_answered_after_the_end_of_input)
{
    echo_server s;
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":200,"value":"last"}})");
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"count","params":{"to":1,"ms":100}})");
    s.send(R"({"jsonrpc":"2.0","id":3,"method":"spin","params":{"ms":20}})");
    s.close_input();
    BOOST_TEST(s.read_message().at("id").as_int64() == 3);
    s.expect(R"({"jsonrpc":"2.0","method":"$/progress","params":{"token":2,"value":1}})");
    s.expect(R"({"jsonrpc":"2.0","id":2,"result":{"counted":1}})");
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":"last"})");
    s.expect_end(0);
    BOOST_TEST(s.errors() == "");
}

BOOST_AUTO_TEST_CASE(a_last_line_without_newline_counts)
{
    echo_server s;
    s.send_bytes(R"({"jsonrpc":"2.0","id":1,"method":"echo"})");
    s.close_input();
    s.expect(R"({"jsonrpc":"2.0","id":1,"result":null})");
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(what_still_runs_when_draining_takes_too_long_is_cancelled)
{
    echo_server s({"--drain-ms", "100"});
    s.send(endless);
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"delay","params":{"ms":60000}})");
    s.send(R"({"jsonrpc":"2.0","id":3,"method":"delay","params":{"ms":20,"value":"in time"}})");
    s.close_input();
    s.expect(R"({"jsonrpc":"2.0","id":3,"result":"in time"})");
    for (int i = 0; i < 2; ++i) {
        const json::object reply = s.read_message();
        const json::value data = check_error(reply, json::serialize(reply.at("id")), -32800);
        BOOST_TEST(!data.at("reason").as_string().empty());
    }
    s.expect_end(4);
    BOOST_TEST(contains(s.errors(), "2"), s.errors());
}

BOOST_AUTO_TEST_CASE(without_time_to_drain_what_is_done_is_still_answered)
{
    echo_server s({"--drain-ms", "0"});
    s.send(R"({"jsonrpc":"2.0","id":2,"method":"echo"})");
    s.send(endless);
    s.close_input();
    s.expect(R"({"jsonrpc":"2.0","id":2,"result":null})");
    s.expect_error("1", -32800);
    s.expect_end(4);
}

BOOST_AUTO_TEST_CASE(a_signal_cancels_what_runs_and_ends)
{
    for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
        BOOST_TEST_CONTEXT("signal " << signal)
        {
            echo_server s;
            s.send(endless);
            s.expect_silence();
            s.child().signal(signal);
            const json::value data = s.expect_error("1", -32800);
            BOOST_TEST(!data.at("reason").as_string().empty());
            s.expect_end(128 + signal);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_signal_ends_an_idle_server)
{
    for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
        BOOST_TEST_CONTEXT("signal " << signal)
        {
            echo_server s;
            s.expect_silence();
            s.child().signal(signal);
            s.expect_end(128 + signal);
            const std::string told = "partyline: the session ended: signal " + std::to_string(signal);
            BOOST_TEST(s.errors().starts_with(told), s.errors());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_signal_ends_a_server_that_drains)
{
    echo_server s;
    s.send(endless);
    s.expect_silence();
    s.close_input();
    s.child().signal(SIGTERM);
    s.expect_error("1", -32800);
    s.expect_end(128 + SIGTERM);
}

BOOST_AUTO_TEST_CASE(a_signal_ends_a_server_whose_reader_has_stopped_reading)
{
    wire ends = pipe_wire();
    shrink_pipe(ends.server_out.get());
    echo_server s({}, std::move(ends));
    std::string requests;
    while (requests.size() < 60'000)
        requests += "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n";
    s.send_bytes(requests);
    s.output().wait_readable();
    const stopwatch watch;
    s.child().signal(SIGTERM);
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
    BOOST_TEST(watch.shows_less_than(grace_and_slack));
}

BOOST_AUTO_TEST_CASE(a_peer_that_stops_reading_is_left_when_the_server_is_told_to)
{
    echo_server s({"--write-stall-ms", "50", "--cancel-grace-ms", "50"});
    s.send(R"({"jsonrpc":"2.0","id":1,"method":"parts","params":{"count":100,"bytes":1000000}})");
    BOOST_TEST(s.wait_exit() == 3);
    BOOST_TEST(contains(s.errors(), "the peer has stopped reading"), s.errors());
}

BOOST_AUTO_TEST_CASE(a_handler_that_refuses_to_be_cancelled_is_abandoned_and_named_in_the_log)
{
    careless_server s;
    s.run_stubborn_handler();
    const stopwatch watch;
    s.child().signal(SIGTERM);
    BOOST_TEST(s.error_line() == "not cancelled");
    BOOST_TEST(s.error_line() == "partyline: gave up on 1 handlers that did not end when cancelled: stubborn (id 1)");
    BOOST_TEST(s.error_line() == "partyline: the session ended: signal 15 (Terminated)");
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
    BOOST_TEST(watch.shows_less_than(grace_and_slack));
}

// rule: security.harm.signals
BOOST_AUTO_TEST_CASE(a_handler_that_blocks_the_loop_is_abandoned)
{
    careless_server s;
    s.run_blocking_handler();
    const stopwatch watch;
    s.child().signal(SIGTERM);
    BOOST_TEST(s.error_line() == "partyline: the process ends by force: signal 15 (Terminated), and something keeps it "
                                 "from ending in order");
    BOOST_TEST(s.wait_exit() == 128 + SIGTERM);
    BOOST_TEST(watch.shows_less_than(grace_and_slack));
}

// rule: security.harm.signals
BOOST_AUTO_TEST_CASE(a_second_signal_ends_at_once)
{
    for (auto run : {&careless_server::run_stubborn_handler, &careless_server::run_blocking_handler}) {
        careless_server s;
        (s.*run)();
        const stopwatch watch;
        s.child().signal(SIGTERM);
        s.child().signal(SIGINT);
        const int code = s.wait_exit();
        BOOST_TEST((code == 128 + SIGTERM || code == 128 + SIGINT), "exit code " << code);
        if (!is_sanitized)
            BOOST_TEST(watch.shows_less_than(1500ms));
    }
}

BOOST_AUTO_TEST_CASE(a_gone_reader_ends_a_server_whose_handlers_will_not)
{
    for (auto run : {&careless_server::run_stubborn_handler, &careless_server::run_blocking_handler}) {
        careless_server s;
        (s.*run)();
        const stopwatch watch;
        s.close_output();
        BOOST_TEST(s.wait_exit() == 3);
        BOOST_TEST(watch.shows_less_than(grace_and_slack));
    }
}

BOOST_AUTO_TEST_SUITE_END()
