// What `session_options::on_served` is told: each request and notification once, however it ends.

#include "support/dialogue.hpp"

#include <partyline/rpc/tracing.hpp>
#include <partyline/session/served_event.hpp>

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::answer_outcome;
using partyline::error_object;
using partyline::method_options;
using partyline::overload;
using partyline::request_context;
using partyline::request_disposition;
using partyline::rpc_error;
using partyline::served_event;
using lines = std::vector<std::string>;

namespace {

const char* name(request_disposition how)
{
    constexpr const char* names[] = {"handled", "refused", "dropped", "cancelled", "lost"};
    return names[static_cast<int>(how)];
}

// "handled 1 echo result", "refused 2 gone error -32601 element"
std::string to_string(const served_event& e)
{
    std::string line = name(e.disposition);
    if (!e.id.empty())
        line.append(" ").append(e.id);
    line.append(" ").append(e.method);
    if (e.outcome != answer_outcome::none)
        line.append(e.outcome == answer_outcome::result ? " result" : " error");
    if (e.error_code != 0)
        line.append(" ").append(std::to_string(e.error_code));
    return line.append(e.is_tool_error ? " tool error" : "").append(e.is_element ? " element" : "");
}

struct served_fixture : dialogue {
    lines told;
    std::vector<std::string> traces;
    std::vector<std::size_t> bytes_in;
    std::vector<std::size_t> bytes_out;
    gate slow{context};
    int in_wrong_order = 0;

    served_fixture()
    {
        methods.add("echo", [](json::value v) { return v; });
        methods.add("fail", [](json::value) -> json::value { throw rpc_error(7, "no"); });
        methods.add("slow", [this](request_context&) -> asio::awaitable<int> {
            co_await slow.wait();
            co_return 1;
        });
        methods.add("tool", [](request_context& c, json::value v) {
            c.note_tool_error();
            return v;
        });
        methods.add_notification("note", [](json::value) {});
        methods.add_notification("bad note", [](json::value) { throw rpc_error(8, "no"); });
        options.on_served = [this](const served_event& e) { note(e); };
    }

    ~served_fixture()
    {
        destroy_session(); // which tells of what it leaves
        settle();
    }

    void note(const served_event& e)
    {
        told.push_back(to_string(e));
        traces.push_back(e.trace ? e.trace->traceparent() : std::string());
        bytes_in.push_back(e.bytes_in);
        bytes_out.push_back(e.bytes_out);
        in_wrong_order += e.ended < e.arrived || e.arrived.time_since_epoch().count() == 0 ? 1 : 0;
    }

    void check(const lines& expected)
    {
        BOOST_TEST(told == expected, boost::test_tools::per_element());
        BOOST_TEST(in_wrong_order == 0);
        told.clear();
    }
};

const std::string trace_of_sender = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

std::string traced(const std::string& traceparent)
{
    return R"({"_meta":{"traceparent":")" + traceparent + R"("}})";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_served, served_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_request_is_told_when_it_has_its_answer)
{
    send(request("1", "echo", "[1]"));
    receive();
    send(request("\"b\"", "fail"));
    receive();
    check({"handled 1 echo result", "handled \"b\" fail error 7"});
    BOOST_TEST(bytes_in.front() == request("1", "echo", "[1]").size());
    BOOST_TEST(bytes_out.front() == result("1", "[1]").size());
}

BOOST_AUTO_TEST_CASE(one_that_suspends_is_told_once_it_has_ended)
{
    send(request("1", "slow"));
    send(request("2", "echo"));
    receive();
    check({"handled 2 echo result"});
    slow.open();
    receive();
    check({"handled 1 slow result"});
}

BOOST_AUTO_TEST_CASE(notifications_are_told)
{
    send(notification("note"));
    send(notification("bad note"));
    send(notification("nobody knows it"));
    expect_silence();
    check({"handled note", "handled bad note 8", "dropped nobody knows it"});
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_told)
{
    options.on_message = [](const partyline::message_event& e) {
        const bool is_no = e.direction == partyline::message_direction::in && e.method == "forbidden";
        return is_no ? std::optional(error_object{-1, "no", {}}) : std::nullopt;
    };
    send(request("1", "gone"));
    send(request("2", "forbidden"));
    send(notification("forbidden"));
    send("{");
    send(request("3", "slow"));
    send(request("3", "echo"));
    for (int i = 0; i != 4; ++i)
        receive();
    check({"refused 1 gone error -32601", "refused 2 forbidden error -1", "dropped forbidden", "refused  error -32700",
           "refused 3 echo error -32600"});
    slow.open();
    receive();
    check({"handled 3 slow result"});
}

BOOST_AUTO_TEST_CASE(a_message_that_is_too_long_is_told)
{
    options.bounds.message_bytes = 128;
    const std::string line = request("1", "echo", '"' + std::string(200, 'x') + '"');
    send(line);
    receive();
    check({"refused 1  error -32600"});
    BOOST_TEST(bytes_in.front() == line.size());
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_are_told)
{
    send('[' + request("1", "echo") + ',' + notification("note") + ',' + request("2", "gone") + ",1]");
    receive();
    check({"handled 1 echo result element", "handled note element", "refused 2 gone error -32601 element",
           "refused  error -32600 element"});
}

BOOST_AUTO_TEST_CASE(each_element_of_a_refused_batch_is_told)
{
    options.bounds.batch_elements = 2;
    send('[' + request("1", "echo") + ',' + notification("note") + ',' + request("2", "echo") + ']');
    receive();
    check({"refused 1 echo error -32600 element", "dropped note element", "refused 2 echo error -32600 element"});
}

BOOST_AUTO_TEST_CASE(a_request_that_is_busied_away_is_told)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    for (const char* id : {"1", "2", "3"})
        send(request(id, "slow"));
    receive();
    check({"refused 3 slow error -31001"});
    slow.open();
    receive();
    receive();
    check({"handled 1 slow result", "handled 2 slow result"});
}

BOOST_AUTO_TEST_CASE(cancelled_requests_are_told_whether_they_have_begun_or_not)
{
    options.bounds.in_flight_requests = 1;
    send(request("1", "slow"));
    send(request("2", "slow"));
    send(cancel("2"));
    receive();
    send(cancel("1"));
    receive();
    check({"cancelled 2 slow error -32800", "handled $/cancelRequest", "handled $/cancelRequest",
           "cancelled 1 slow error -32800"});
}

BOOST_AUTO_TEST_CASE(what_a_deadline_answers_is_told_then_and_not_again)
{
    method_options hasty;
    hasty.deadline = 1ms;
    hasty.answers_at_deadline = true;
    gate forever(context);
    methods.add(
        "stubborn",
        [&](request_context&) -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            co_await forever.wait();
            co_return 1;
        },
        hasty);
    send(request("1", "stubborn"));
    receive();
    check({"cancelled 1 stubborn error -32800"});
    forever.open();
    expect_silence();
    check({});
}

BOOST_AUTO_TEST_CASE(replies_without_room_are_told_once)
{
    options.bounds.outbox_hard_bytes = 16384;
    options.bounds.outbox_soft_bytes = 1024;
    methods.add("long", [] { return std::string(5000, 'x'); });
    stop_reading();
    for (int id = 1; id != 40; ++id)
        send(request(std::to_string(id), "slow"));
    settle();
    for (int id = 40; id != 60; ++id)
        send(request(std::to_string(id), "long"));
    settle();
    slow.open();
    settle();
    resume_reading();
    for (int count = 1; count != 60; ++count)
        receive();
    std::sort(told.begin(), told.end());
    BOOST_TEST(told.size() == 59u);
    BOOST_TEST((std::unique(told.begin(), told.end()) == told.end()));
}

BOOST_AUTO_TEST_CASE(requests_that_a_session_ends_with_are_told)
{
    options.bounds.in_flight_requests = 1;
    options.cancel_grace = 1ms;
    methods.add("stubborn", [this](request_context&) -> asio::awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await slow.wait();
        co_return 1;
    });
    send(request("1", "stubborn"));
    send(request("2", "slow"));
    settle();
    server().stop();
    wait_end();
    check({"cancelled 2 slow error -32800", "lost 1 stubborn"});
}

BOOST_AUTO_TEST_CASE(what_is_left_of_a_batch_when_a_session_ends_is_told_once)
{
    options.bounds.in_flight_requests = 1;
    options.bounds.waiting_requests = 1;
    send('[' + request("1", "slow") + ',' + request("2", "slow") + ',' + notification("note") + ',' +
         request("3", "echo", "[1]") + ',' + notification("bad note") + R"(,7,{"jsonrpc":"2.0","id":9,"result":1}])");
    wait_end();
    check({"dropped note element", "cancelled 2 slow error -32800 element", "lost 3 echo element",
           "lost bad note element", "lost  element", "cancelled 1 slow error -32800 element"});
}

BOOST_AUTO_TEST_CASE(a_session_that_is_destroyed_tells_of_what_it_leaves)
{
    options.bounds.in_flight_requests = 1;
    send(request("1", "slow"));
    send(request("2", "slow"));
    settle();
    destroy_session();
    settle();
    std::sort(told.begin(), told.end());
    BOOST_TEST(told.size() == 2u);
}

BOOST_AUTO_TEST_CASE(requests_that_run_elsewhere_are_told)
{
    asio::thread_pool pool(1);
    method_options elsewhere;
    elsewhere.executor = pool.get_executor();
    std::string seen;
    methods.add("far", [&](request_context& c) { seen = c.trace().traceparent(); }, elsewhere);
    send(request("1", "far", traced(trace_of_sender)));
    receive();
    check({"handled 1 far result"});
    BOOST_TEST(traces.front() == seen);
    BOOST_TEST(seen.substr(3, 32) == trace_of_sender.substr(3, 32));
    pool.join();
}

BOOST_AUTO_TEST_CASE(a_result_that_tells_of_a_failure_is_told_as_such)
{
    send(request("1", "tool"));
    receive();
    send(request("2", "echo"));
    receive();
    check({"handled 1 tool result tool error", "handled 2 echo result"});
}

BOOST_AUTO_TEST_CASE(a_hook_that_throws_is_logged_and_nothing_else_happens)
{
    options.on_served = [](const served_event&) { throw std::runtime_error("ouch"); };
    send(request("1", "echo"));
    receive();
    send(request("2", "echo"));
    receive();
    BOOST_TEST(logged.size() == 2u);
    BOOST_TEST(logged.front().find("ouch") != std::string::npos);
    BOOST_TEST(!has_ended());
}

BOOST_AUTO_TEST_CASE(the_trace_is_the_one_that_the_handler_has_and_part_of_its_senders)
{
    std::string seen;
    methods.add("where", [&](request_context& c, json::value) { seen = c.trace().traceparent(); });
    send(request("1", "where", traced(trace_of_sender)));
    receive();
    BOOST_TEST(seen == traces.front());
    BOOST_TEST(seen.substr(0, 36) == trace_of_sender.substr(0, 36));
    BOOST_TEST(seen.substr(36, 16) != trace_of_sender.substr(36, 16));
    send(request("2", "where", traced("nonsense")));
    receive();
    BOOST_TEST(seen == traces.back());
    BOOST_TEST(seen.substr(0, 36) != trace_of_sender.substr(0, 36));
}

BOOST_AUTO_TEST_CASE(a_trace_whose_name_is_escaped_is_read)
{
    send(request("1", "echo", R"({"_meta":{"\u0074raceparent":")" + trace_of_sender + R"("}})"));
    receive();
    BOOST_TEST(traces.front().substr(0, 36) == trace_of_sender.substr(0, 36));
}

BOOST_AUTO_TEST_CASE(middleware_that_reads_traces_leaves_the_one_that_is_known)
{
    methods.around_requests(partyline::trace_requests);
    std::string seen;
    methods.add("where", [&](request_context& c, json::value) { seen = c.trace().traceparent(); });
    send(request("1", "where", traced(trace_of_sender)));
    receive();
    BOOST_TEST(seen == traces.front());
}

BOOST_AUTO_TEST_CASE(calls_of_a_handler_are_part_of_its_request)
{
    options.around_calls.add(partyline::trace_calls);
    methods.add("ask", [](request_context& c, json::value) -> asio::awaitable<void> {
        co_await c.notify("question", nullptr);
    });
    send(request("1", "ask", traced(trace_of_sender)));
    const std::string asked = receive();
    receive();
    BOOST_TEST(asked.find(trace_of_sender.substr(3, 32)) != std::string::npos);
    BOOST_TEST(asked.find(traces.front().substr(36, 16)) != std::string::npos); // the span that a collector has
}

BOOST_AUTO_TEST_CASE(the_peer_is_told)
{
    partyline::peer_identity who;
    who.principal = "alice";
    options.peer = std::make_shared<const partyline::peer_identity>(who);
    std::string principal;
    options.on_served = [&](const served_event& e) { principal = e.peer.principal; };
    send(request("1", "echo"));
    receive();
    BOOST_TEST(principal == "alice");
}

BOOST_AUTO_TEST_SUITE_END()
