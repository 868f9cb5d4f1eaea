#include "support/each_step.hpp"

#include <boost/test/unit_test.hpp>

using namespace partyline::test;

namespace {

const std::string half_way = notification("news", R"(["half way"])");
const std::string from_the_pool = notification("news", R"(["from the pool"])");
const std::string no_json =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":{"offset":1}}})";
const std::string no_version =
    R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"\"jsonrpc\" must be \"2.0\""}}})";
const std::string no_such_method =
    R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found","data":{"method":"nobody"}}})";
const std::string too_long =
    R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"the message is too long","limit":4096,"value":40054}}})";
const std::string no_request =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"expected an object"}}})";

const std::vector<script>& scripts()
{
    static const std::vector<script> all{
        {"echo",
         [](scripted_session& p) {
             p.say(request("1", "echo", "[1]"));
             p.expect({result("1", "[1]")});
             p.say(request("2", "echo", "[2]"));
             p.say(request("3", "hop", "[3]"));
             p.expect({result("2", "[2]"), progress("3", "1"), result("3", "[3]")});
         }},
        {"a handler that waits",
         [](scripted_session& p) {
             p.say(request("1", "wait"));
             p.say(request("2", "echo", "[2]"));
             p.arrive(1);
             p.expect({result("2", "[2]")});
             p.door.open();
             p.expect({result("1", "\"opened\"")});
             p.say(request("3", "echo", "[3]"));
             p.expect_at_end({result("3", "[3]")});
         }},
        {"progress and notifications",
         [](scripted_session& p) {
             p.say(request("1", "report"));
             p.say(request("2", "report"));
             p.expect({progress("1", "1"), half_way, progress("2", "1"), half_way});
             p.arrive(2);
             p.door.open();
             p.expect({progress("1", "2"), result("1", "3"), progress("2", "2"), result("2", "3")});
             p.say(request("3", "report"));
             p.expect_at_end({progress("3", "1"), half_way, progress("3", "2"), result("3", "3")});
         }},
        {"cancels",
         [](scripted_session& p) {
             p.say(request("1", "wait"));
             p.say(request("2", "keep"));
             p.arrive(2);
             p.say(cancel("1"));
             p.say(cancel("2"));
             p.expect({cancelled("1"), result("2", "\"kept\"")});
             p.say(request("3", "serial"));
             p.say(request("4", "serial"));
             p.arrive(3);
             p.say(cancel("4"));
             p.expect({cancelled("4")});
             p.say(cancel("3"));
             p.expect({cancelled("3")});
         }},
        {"a batch",
         [](scripted_session& p) {
             p.say("[" + request("1", "echo", "[1]") + "," + request("2", "wait") + "," + notification("note") + "," +
                   request("3", "hop", "[3]") + ",1]");
             p.say(request("4", "echo", "[4]"));
             p.arrive(2);
             p.expect({progress("3", "1"), result("4", "[4]")});
             p.door.open();
             p.expect({"[" + result("1", "[1]") + "," + no_request + "," + result("3", "[3]") + "," +
                       result("2", "\"opened\"") + "]"});
         }},
        {"bad lines",
         [](scripted_session& p) {
             p.say("this is no JSON");
             p.expect({no_json});
             p.say(R"({"jsonrpc":"1.0","id":1,"method":"echo"})");
             p.say(request("2", "nobody"));
             p.expect({no_version, no_such_method});
             p.say(request("3", "echo", "[3]"));
             p.expect({result("3", "[3]")});
         }},
        {"an oversize line",
         [](scripted_session& p) {
             p.say(request("1", "echo", "[\"" + std::string(40'000, 'x') + "\"]"));
             p.say(request("2", "echo", "[2]"));
             p.expect({too_long, result("2", "[2]")});
         }},
        {"long answers",
         [](scripted_session& p) {
             std::vector<std::string> answers; // more than a pipe or a socket holds
             for (int i = 1; i <= 30; ++i) {
                 p.say(request(std::to_string(i), "big", "[4000]"));
                 answers.push_back(result(std::to_string(i), '"' + std::string(4000, 'x') + '"'));
             }
             p.expect(answers);
         }},
        {"notifications",
         [](scripted_session& p) {
             p.say(notification("note"));
             p.say(notification("nobody"));
             p.say(request("1", "echo", "[1]"));
             p.arrive(1);
             p.expect({result("1", "[1]")});
             p.door.open();
         }},
        {"the end of input with requests in flight",
         [](scripted_session& p) {
             p.say(request("1", "wait"));
             p.say(request("2", "pool", "[2]"));
             p.say(request("3", "serial"));
             p.say(request("4", "serial"));
             p.say(notification("note"));
             p.arrive(4);
             p.expect_at_end({result("1", "\"opened\""), progress("2", "1"), from_the_pool, result("2", "[2]"),
                              result("3", "\"opened\""), result("4", "\"opened\"")});
         }},
        {"handlers elsewhere",
         [](scripted_session& p) {
             p.say(request("1", "pool", "[1]"));
             p.say(request("2", "pool_plain", "[2]"));
             p.arrive(1);
             p.expect({progress("1", "1"), from_the_pool, result("2", "[2]")});
             p.say(request("3", "pool", "[3]"));
             p.arrive(2);
             p.say(cancel("3"));
             p.expect({progress("3", "1"), from_the_pool, cancelled("3")});
             p.door.open();
             p.expect_at_end({result("1", "[1]")});
         }},
        {"a deadline",
         [](scripted_session& p) {
             p.say(request("1", "limited"));
             p.expect({cancelled("1", "deadline exceeded")});
             p.say(request("2", "echo", "[2]"));
             p.expect({result("2", "[2]")});
         }},
    };
    return all;
}

void fail_all(connection::kind what)
{
    for (const script& one : scripts())
        for_each_step_failing(one, what);
}

} // namespace

BOOST_AUTO_TEST_SUITE(session_faults, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(no_step_of_a_stream_that_fails_hangs_leaks_or_lies)
{
    fail_all(connection::kind::memory);
}

BOOST_AUTO_TEST_CASE(nor_of_a_socket)
{
    fail_all(connection::kind::socket);
}

BOOST_AUTO_TEST_CASE(nor_of_a_descriptor)
{
    fail_all(connection::kind::descriptor);
}

BOOST_AUTO_TEST_CASE(a_stream_that_moves_one_byte_at_a_time_changes_nothing)
{
    const fault trickle{.what = fault::kind::trickle, .name = "trickle", .step = 1};
    for (const script& one : scripts()) {
        if (one.name == "long answers")
            continue; // for its own sake
        const session_record clean = perform(one, connection::kind::memory, {});
        const session_record slow = perform(one, connection::kind::memory, trickle);
        BOOST_TEST_CONTEXT(one.name)
        {
            BOOST_TEST(slow.steps > 10 * clean.steps);
            for (const std::string& problem : find_problems(clean, slow, trickle))
                BOOST_ERROR(problem);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_peer_that_stops_reading_when_all_has_been_said_is_given_up)
{
    using namespace std::chrono_literals;
    for (const connection::kind what :
         {connection::kind::memory, connection::kind::socket, connection::kind::descriptor}) {
        BOOST_TEST_CONTEXT(to_string(what))
        {
            dialogue d(what);
            d.options.write_stall = 20ms;
            d.methods.add("big", [] { return std::string(1'000'000, 'x'); });
            d.stop_reading();
            d.send(request("1", "big"));
            d.end_input();
            BOOST_TEST((d.wait_end() == partyline::errc::write_stalled));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
