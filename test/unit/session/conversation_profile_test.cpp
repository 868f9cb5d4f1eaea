// A profile that is written outside the library, with what another protocol does differently in every respect.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <partyline/session/lifecycle.hpp>
#include <partyline/session/profile.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace partyline;

namespace {

struct version {
    std::string name;
};

// Greets first; what was answered is noted.
class greeting_lifecycle final : public lifecycle {
public:
    ruling on_request(const message& m, message_reader& reader) override
    {
        ruling by;
        if (m.method == "ping") {
            by.action = ruling_action::answer;
            by.result = json_text("{}");
            return by;
        }
        if (m.method == "hello")
            allows_arrays = true;
        const json_view meta = reader.find_member(m.params, "_meta");
        const json_view name = meta.empty() ? json_view() : reader.find_member(meta, "version");
        if (!name.empty())
            by.facts = version{std::string(name.text())};
        return by;
    }
    ruling on_notification(const message&, message_reader&) override { return {}; }
    bool allows_batches() const override { return allows_arrays; }
    void on_answered(const answer_given& how) override
    {
        constexpr const char* outcomes[] = {"result", "error", "none"};
        answers.push_back(std::string(how.id) + ' ' + std::string(how.method) + ' ' +
                          outcomes[static_cast<int>(how.outcome)] +
                          (how.error_code ? ' ' + std::to_string(how.error_code) : ""));
    }

    bool allows_arrays = false;
    std::vector<std::string> answers;
};

class tool_protocol final : public profile {
public:
    explicit tool_protocol(std::string_view token = "progressToken")
    {
        cancel_method = "notifications/cancelled";
        cancel_id = "requestId";
        cancel_reason = "reason";
        progress_method = "notifications/progress";
        progress_id = "progressToken";
        progress_value = "progress";
        token_parent = "_meta";
        progress_token = token;
        partial_result_token = {};
        id_is_progress_token = false;
        answers_cancelled = false;
        id_when_unknown = unknown_id::omitted;
        allows_null_and_fraction_ids = false;
        allows_array_params = false;
    }

    std::shared_ptr<lifecycle> make_lifecycle() const override { return std::make_shared<greeting_lifecycle>(); }
    void check_progress(const json::value& value) const override
    {
        if (!value.is_number())
            throw std::invalid_argument("progress is a number here");
    }
};

const tool_protocol tools;
const tool_protocol slashed_tools("a/token");

std::string cancelled_by_peer(std::string_view id)
{
    return notification("notifications/cancelled", R"({"requestId":)" + std::string(id) + R"(,"reason":"enough"})");
}

struct fixture : dialogue {
    gate forever{context};
    gate slow{context};

    fixture()
    {
        options.profile = &tools;
        methods.add("wait", [this](request_context& c) -> asio::awaitable<int> {
            while (!c.cancelled()) {
                try {
                    co_await forever.wait();
                } catch (const boost::system::system_error&) {
                    c.progress(99); // nobody wants to know
                    c.notify("late");
                    throw;
                }
            }
            co_return 1;
        });
        methods.add("slow", [this](request_context& c) -> asio::awaitable<int> {
            co_await slow.wait();
            c.progress(50);
            co_return 1;
        });
        methods.add("echo", [](json::value v) { return v; });
        methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
        methods.add("hello", [] { return "hello"; });
        methods.add("version",
                    [](request_context& c) { return c.facts<version>() ? c.facts<version>()->name : "none"; });
    }

    greeting_lifecycle& rules()
    {
        start();
        return dynamic_cast<greeting_lifecycle&>(*server().session_lifecycle());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_profile, fixture, *boost::unit_test::timeout(60))

// rule: mcp.cancel.free, mcp.cancel.silent
BOOST_AUTO_TEST_CASE(of_a_cancelled_request_nothing_more_goes_out)
{
    send(request("1", "wait"));
    send(cancelled_by_peer("1"));
    expect_silence();
    BOOST_TEST(server().counters().cancelled == 1);
    BOOST_TEST(server().counters().in_flight == 0);
}

BOOST_AUTO_TEST_CASE(the_id_of_a_cancelled_request_is_free_at_once)
{
    methods.add("stubborn", [this](request_context&) -> asio::awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await slow.wait();
        co_return 1;
    });
    send(request("1", "stubborn"));
    send(cancelled_by_peer("1"));
    send(request("1", "echo", R"({"a":1})"));
    expect(result("1", R"({"a":1})"));
    slow.open();
    expect_silence();
    BOOST_TEST(server().counters().in_flight == 0);
}

BOOST_AUTO_TEST_CASE(a_waiting_request_that_is_cancelled_vanishes)
{
    options.bounds.in_flight_requests = 1;
    send(request("1", "slow"));
    send(request("2", "echo", R"({"a":2})"));
    send(cancelled_by_peer("2"));
    send(request("2", "echo", R"({"a":3})"));
    settle();
    slow.open();
    expect_in_any_order({result("1", "1"), result("2", R"({"a":3})")});
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_waits_for_room_of_a_cancelled_request_is_dropped_and_its_handler_goes_on)
{
    options.bounds.outbox_soft_bytes = 1000;
    const json::array long_text{std::string(5000, 'x')};
    methods.add("tell", [=](request_context& c) -> asio::awaitable<int> {
        for (;;)
            co_await c.notify("told", long_text);
    });
    stop_reading();
    send(request("1", "tell"));
    settle();
    send(cancelled_by_peer("1"));
    settle();
    BOOST_TEST(server().counters().in_flight == 0);
    resume_reading();
    for (const std::string& line : take_lines())
        BOOST_TEST(line.find("\"id\"") == line.npos);
}

BOOST_AUTO_TEST_CASE(what_one_that_ignores_its_cancel_has_not_got_rid_of_is_dropped)
{
    options.bounds.outbox_soft_bytes = 1000;
    const json::array long_text{std::string(100'000, 'x')}; // more than the peer's system holds
    methods.add("stubborn", [&](request_context& c) -> asio::awaitable<int> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        c.notify("first", long_text);
        c.notify("second");
        co_await slow.wait();
        co_return 1;
    });
    stop_reading();
    send(request("1", "stubborn"));
    settle();
    send(cancelled_by_peer("1"));
    settle();
    resume_reading();
    expect(notification("first", json::serialize(long_text)));
    expect_silence();
    slow.open();
}

BOOST_AUTO_TEST_CASE(one_that_runs_elsewhere_says_nothing_more_either)
{
    asio::thread_pool pool(1);
    method_options elsewhere;
    elsewhere.executor = pool.get_executor();
    methods.add(
        "elsewhere",
        [](request_context& c) -> asio::awaitable<int> {
            asio::steady_timer timer(c.get_executor(), asio::steady_timer::time_point::max());
            try {
                co_await timer.async_wait(asio::use_awaitable);
            } catch (const boost::system::system_error&) {
                c.notify("late");
            }
            co_return 1;
        },
        elsewhere);
    send(request("1", "elsewhere"));
    settle();
    send(cancelled_by_peer("1"));
    run_until([&] { return server().counters().in_flight == 0; });
    expect_silence();
}

BOOST_AUTO_TEST_CASE(in_a_batch_it_leaves_a_gap)
{
    rules().allows_arrays = true;
    send('[' + request("1", "wait") + ',' + request("2", "echo", R"({"a":2})") + ']');
    send(cancelled_by_peer("1"));
    expect('[' + result("2", R"({"a":2})") + ']');
    send('[' + request("3", "wait") + ']');
    send(cancelled_by_peer("3"));
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_deadline_is_answered_all_the_same)
{
    method_options hasty;
    hasty.deadline = std::chrono::milliseconds(1);
    methods.add(
        "hasty",
        [this](request_context&) -> asio::awaitable<int> {
            co_await forever.wait();
            co_return 1;
        },
        hasty);
    send(request("1", "hasty"));
    expect(cancelled("1", "deadline exceeded"));
}

BOOST_AUTO_TEST_CASE(one_that_was_cancelled_for_something_else_is_silenced_all_the_same)
{
    method_options hasty;
    hasty.deadline = std::chrono::milliseconds(1);
    methods.add(
        "stubborn",
        [this](request_context& c) -> asio::awaitable<int> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
            while (!c.cancelled()) {
                asio::steady_timer timer(c.get_executor(), std::chrono::milliseconds(1));
                co_await timer.async_wait(asio::use_awaitable);
            }
            c.progress(1);
            co_await slow.wait();
            co_return 1;
        },
        hasty);
    send(request("1", "stubborn", R"({"_meta":{"progressToken":1}})"));
    expect(notification("notifications/progress", R"({"progressToken":1,"progress":1})"));
    send(cancelled_by_peer("1"));
    send(request("1", "echo", "{}"));
    expect(result("1", "{}"));
    slow.open();
    expect_silence();
    BOOST_TEST(server().counters().cancelled == 1);
}

struct hasty_lifecycle final : lifecycle {
    ruling on_request(const message&, message_reader&) override { return {}; }
    ruling on_notification(const message&, message_reader&) override { return {}; }
    bool allows_batches() const override { throw std::runtime_error("no idea"); }
};

struct hasty_protocol final : profile {
    std::shared_ptr<lifecycle> make_lifecycle() const override { return std::make_shared<hasty_lifecycle>(); }
};

BOOST_AUTO_TEST_CASE(a_lifecycle_that_throws_about_a_batch_of_ours_ends_the_session)
{
    const hasty_protocol hasty;
    options.profile = &hasty;
    methods.add("ask all", [](request_context& c) -> asio::awaitable<int> {
        call_batch all;
        all.call("ask");
        co_await c.batch(std::move(all));
        co_return 1;
    });
    send(request("1", "ask all"));
    BOOST_TEST(wait_end() == error_code(errc::session_failed));
}

BOOST_AUTO_TEST_CASE(the_name_of_a_token_may_be_written_with_escapes)
{
    options.profile = &slashed_tools;
    for (const char* name : {R"(a/token)", R"(a\/token)", R"(\u0061\u002ftoken)"}) {
        send(request("1", "slow", std::string(R"({"_meta":{")") + name + R"(":7}})"));
        settle();
        slow.open();
        expect(notification("notifications/progress", R"({"progressToken":7,"progress":50})"));
        expect(result("1", "1"));
    }
}

BOOST_AUTO_TEST_CASE(progress_has_its_own_shape_and_its_token_a_place_of_its_own)
{
    send(request("1", "slow", R"({"_meta":{"progressToken":"t"}})"));
    send(request("2", "slow"));
    send(request("3", "slow", R"({"_meta":{"progressToken":3}})"));
    settle();
    slow.open();
    expect_in_any_order({notification("notifications/progress", R"({"progressToken":"t","progress":50})"),
                         notification("notifications/progress", R"({"progressToken":3,"progress":50})"),
                         result("1", "1"), result("2", "1"), result("3", "1")});
}

BOOST_AUTO_TEST_CASE(a_value_that_the_protocol_does_not_have_is_refused)
{
    methods.add("wrong", [](request_context& c) { c.progress("half"); });
    send(request("1", "wrong", R"({"_meta":{"progressToken":1}})"));
    BOOST_TEST(receive().find("std::invalid_argument") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(members_of_the_protocol_need_not_be_declared)
{
    send(request("1", "add", R"({"a":1,"b":2,"_meta":{}})"));
    expect(result("1", "3"));
    send(request("2", "add", R"({"a":1,"b":2,"workDoneToken":1})"));
    BOOST_TEST(receive().find("-32602") != std::string::npos);
}

// rule: mcp.response.unreadable
BOOST_AUTO_TEST_CASE(an_id_that_nobody_knows_is_left_out)
{
    send("no json");
    expect(R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error","data":{"offset":1}}})");
}

// rule: mcp.request.params
BOOST_AUTO_TEST_CASE(array_params_are_refused_in_both_directions)
{
    send(request("1", "echo", "[1]"));
    expect(
        R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":{"expected":"object","got":"array"}}})");
    send(notification("echo", "[1]"));
    expect_silence();
    BOOST_TEST(logged.back() == "dropped the notification \"echo\": its params are an array");
    outcome o;
    server().call("ask", {1, 2})(o.handler());
    run_until([&] { return o.is_there(); });
    BOOST_TEST(o.code == error_code(errc::bad_params));
}

BOOST_AUTO_TEST_CASE(batches_are_allowed_when_the_lifecycle_says_so)
{
    send('[' + request("1", "echo", "{}") + ']');
    BOOST_TEST(receive().find("this protocol has no batches") != std::string::npos);
    const auto ask = [] {
        call_batch all;
        all.call("ask");
        return all;
    };
    error_code failed;
    server().batch(ask())([&](error_code e, auto) { failed = e; });
    run_until([&] { return bool(failed); });
    BOOST_TEST(failed == error_code(errc::bad_params));
    send(request("2", "hello"));
    expect(result("2", "\"hello\""));
    send('[' + request("3", "echo", "{}") + ']');
    expect('[' + result("3", "{}") + ']');
    server().batch(ask())([](error_code, auto) {});
    expect('[' + request("2", "ask") + ']');
}

BOOST_AUTO_TEST_CASE(the_lifecycle_answers_and_attaches_facts)
{
    send(request("1", "ping"));
    expect(result("1", "{}"));
    send(request("2", "version", R"({"_meta":{"version":"two"}})"));
    expect(result("2", R"("\"two\"")"));
    send(request("3", "version"));
    expect(result("3", "\"none\""));
}

BOOST_AUTO_TEST_CASE(facts_wait_with_their_request)
{
    options.bounds.in_flight_requests = 1;
    send(request("1", "slow"));
    send(request("2", "version", R"({"_meta":{"version":"two"}})"));
    settle();
    slow.open();
    expect_in_any_order({result("1", "1"), result("2", R"("\"two\"")")});
}

BOOST_AUTO_TEST_CASE(the_lifecycle_is_told_of_every_end)
{
    greeting_lifecycle& seen = rules();
    send(request("1", "echo", "{}"));
    receive();
    send(request("\"two\"", "nothing"));
    receive();
    send(request("3", "ping"));
    receive();
    send(request("4", "wait"));
    send(cancelled_by_peer("4"));
    expect_silence();
    send(notification("echo"));
    settle();
    BOOST_TEST(seen.answers == (std::vector<std::string>{"1 echo result", "\"two\" nothing error -32601",
                                                         "3 ping result", "4 wait none", " echo none"}),
               boost::test_tools::per_element());
}

// rule: mcp.meta.reserved, mcp.progress.unique
BOOST_AUTO_TEST_CASE(a_call_asks_for_progress_in_its_place_and_is_cancelled_in_that_shape)
{
    start();
    std::vector<std::string> told;
    call_options how;
    how.on_progress([&](const json::value& v) { told.push_back(json::serialize(v)); });
    asio::cancellation_signal enough;
    outcome o;
    server().call("ask", json::object{{"_meta", json::object{{"progressToken", 7}, {"x", 1}}}, {"a", 1}},
                  how)(asio::bind_cancellation_slot(enough.slot(), o.handler()));
    expect(request("1", "ask", R"({"_meta":{"progressToken":1,"x":1},"a":1})"));
    server().call("ask", nullptr, how)([](error_code, response) {});
    expect(request("2", "ask", R"({"_meta":{"progressToken":2}})"));
    send(notification("notifications/progress", R"({"progressToken":1,"progress":5})"));
    run_until([&] { return !told.empty(); });
    BOOST_TEST(told.front() == "5");
    enough.emit(asio::cancellation_type::all);
    const std::string line = receive();
    BOOST_TEST(
        line.starts_with(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":")"));
}

BOOST_AUTO_TEST_SUITE_END()
