// Calls while there is no server that could take them.

#include "support/growing_time.hpp"
#include "support/supervised_fixture.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace data = boost::unit_test::data;
using partyline::call_batch;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;
using partyline::response;
using partyline::supervisor_state;
using partyline::while_down;

namespace {

enum class time_when { before_run, in_handshake, in_back_off };

struct fixture : partyline::test::supervised_fixture {
    asio::steady_timer gate{context, asio::steady_timer::time_point::max()};

    /// Until `open()` no server becomes ready.
    void keep_closed()
    {
        options.on_start = [this](partyline::caller&) -> asio::awaitable<void> {
            boost::system::error_code ignored;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        };
    }
    void open() { gate.expires_at(asio::steady_timer::time_point::min()); }

    /// A supervisor without a server that is ready.
    void down(time_when when)
    {
        if (when == time_when::in_handshake)
            keep_closed();
        if (when == time_when::in_back_off)
            options.restart.first_delay = options.restart.max_delay = 1h;
        if (when == time_when::before_run) {
            make();
            return;
        }
        run();
        run_until_state(when == time_when::in_handshake ? supervisor_state::starting : supervisor_state::running);
        if (when == time_when::in_back_off) {
            ::kill(server->status().pid, SIGKILL);
            run_until_state(supervisor_state::waiting);
        }
    }
    error_code notify(const std::string& method)
    {
        std::optional<error_code> told;
        server->notify(method, nullptr)([&](error_code result, auto) { told = result; });
        run_until([&] { return told.has_value(); });
        return *told;
    }
};

const auto times = data::make({0, 1, 2});

} // namespace

BOOST_FIXTURE_TEST_SUITE(supervisor_calls, fixture, *boost::unit_test::timeout(60))

BOOST_DATA_TEST_CASE(told_to_fail_they_do_so_at_once_and_say_why, times, when)
{
    options.calls_while_down = while_down::fail;
    down(time_when(when));
    const auto one = begin("echo");
    BOOST_TEST(finish(one) == "failed: the server does not run");
    BOOST_TEST(one->said.details() ==
               (time_when(when) == time_when::in_back_off ? "the server was ended by signal 9 (Killed)" : ""));
    BOOST_TEST(notify("echo") == error_code(errc::not_running));
    std::optional<std::pair<error_code, std::vector<response>>> batch;
    server->batch(call_batch().call("a").notify("b").call("c"))(
        [&](error_code failed, auto replies) { batch.emplace(failed, *replies); });
    run_until([&] { return batch.has_value(); });
    BOOST_TEST(batch->first == error_code(errc::not_running));
    BOOST_TEST(batch->second.size() == 2);
    BOOST_TEST(batch->second.at(1).code() == error_code(errc::not_running));
}

BOOST_AUTO_TEST_CASE(told_to_fail_they_still_reach_a_server_that_is_ready)
{
    options.calls_while_down = while_down::fail;
    run();
    run_until_state(supervisor_state::running);
    BOOST_TEST(call("starts") == "result 1");
}

BOOST_AUTO_TEST_CASE(those_that_wait_go_out_in_their_order_behind_the_greeting)
{
    options.on_start = [](partyline::caller& one) -> asio::awaitable<void> {
        const auto reply = co_await one.call("greet", nullptr)(asio::use_awaitable);
        co_await one.notify("greeted", nullptr);
    };
    make();
    for (const char* const name : {"a", "b", "c"}) {
        begin(name);
        server->notify(std::string(name) + "!", nullptr)([](error_code, auto) {});
    }
    server->batch(call_batch().call("d").notify("d!"))([](auto, auto) {});
    const auto last = begin("heard");
    server->async_run([this](error_code result) { run_ended = result; });
    // A batch is an array, which this server does not take: it is the end of the first one.
    BOOST_TEST(finish(last).starts_with("failed: the server"));
    BOOST_TEST(call("heard") == R"(result ["greet","greeted","heard"])");
}

BOOST_AUTO_TEST_CASE(calls_and_notifications_that_waited_are_heard_in_their_order)
{
    make();
    for (const char* const name : {"a", "b", "c"}) {
        begin(name);
        server->notify(std::string(name) + "!", nullptr)([](error_code, auto) {});
    }
    const auto last = begin("heard");
    server->async_run([this](error_code result) { run_ended = result; });
    BOOST_TEST(finish(last) == R"(result ["a","a!","b","b!","c","c!","heard"])");
}

BOOST_DATA_TEST_CASE(one_that_waits_is_cancelled_alone, times, when)
{
    down(time_when(when));
    asio::cancellation_signal cancel;
    std::optional<error_code> told;
    server->call("echo", nullptr)(
        asio::bind_cancellation_slot(cancel.slot(), [&](error_code failed, response) { told = failed; }));
    const auto other = begin("echo");
    poll();
    BOOST_TEST(!told.has_value());
    cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return told.has_value(); });
    BOOST_TEST(*told == error_code(asio::error::operation_aborted));
    poll();
    BOOST_TEST(!other->is_there());
}

BOOST_AUTO_TEST_CASE(one_that_has_waited_is_cancelled_at_the_server)
{
    make();
    asio::cancellation_signal cancel;
    std::optional<error_code> told;
    server->call("wait", nullptr)(
        asio::bind_cancellation_slot(cancel.slot(), [&](error_code failed, response) { told = failed; }));
    server->async_run([this](error_code result) { run_ended = result; });
    run_until_state(supervisor_state::running);
    cancel.emit(asio::cancellation_type::terminal);
    run_until([&] { return told.has_value(); });
    BOOST_TEST(*told == error_code(asio::error::operation_aborted));
    BOOST_TEST(call("heard") == R"(result ["wait","$/cancelRequest","heard"])");
}

BOOST_DATA_TEST_CASE(the_time_of_a_call_counts_while_it_waits, times, when)
{
    down(time_when(when));
    call_options how;
    how.timeout(5ms);
    call_options idle;
    idle.idle_timeout(10ms);
    call_options longer;
    longer.timeout(1h);
    const auto patient = begin("echo", nullptr, longer);
    const auto second = begin("echo", nullptr, idle);
    const auto first = begin("echo", nullptr, how);
    BOOST_TEST(finish(first) == "failed: no reply within the time that the call had");
    BOOST_TEST(finish(second) == "failed: no reply within the time that the call had");
    BOOST_TEST(!patient->is_there());
}

BOOST_AUTO_TEST_CASE(a_call_that_has_waited_has_only_the_rest_of_its_time)
{
    partyline::test::with_growing_time(200ms, [](std::chrono::milliseconds time) {
        fixture f;
        f.keep_closed();
        f.run("silent");
        call_options how;
        how.timeout(time);
        const auto begun = std::chrono::steady_clock::now();
        const auto one = f.begin("initialize", nullptr, how); // which has no reply
        asio::steady_timer later(f.context, time * 3 / 4);
        later.async_wait([&](error_code cancelled) {
            if (!cancelled)
                f.gate.cancel();
        });
        BOOST_TEST(f.finish(one) == "failed: no reply within the time that the call had");
        const auto took = std::chrono::steady_clock::now() - begun;
        BOOST_TEST((took >= time));
        return f.was(supervisor_state::running) && took < time * 7 / 4;
    });
}

BOOST_AUTO_TEST_CASE(no_more_wait_than_the_limits_let)
{
    options.session.bounds.calls = 2;
    down(time_when::in_back_off);
    const auto first = begin("echo");
    const auto second = begin("echo");
    BOOST_TEST(finish(begin("echo")) == "failed: as many calls wait for a reply as the limits allow");
    BOOST_TEST(!first->is_there());
    BOOST_TEST(!second->is_there());
}

BOOST_AUTO_TEST_CASE(what_can_not_be_sent_does_not_wait)
{
    make();
    BOOST_TEST(call("") == "failed: " + error_code(errc::bad_params).message());
    std::optional<error_code> told;
    server->batch(call_batch())([&](error_code failed, auto) { told = failed; });
    run_until([&] { return told.has_value(); });
    BOOST_TEST(*told == error_code());
}

BOOST_AUTO_TEST_CASE(one_that_comes_while_the_server_is_on_its_way_out_waits_for_the_next)
{
    options.child.exit_wait = 1h;
    options.child.term_wait = 1h;
    run("closes output", 1);
    const auto lost = begin("echo"); // closes its output and stays
    BOOST_TEST(finish(lost).starts_with("failed: "));
    BOOST_TEST((state() == supervisor_state::running));
    const auto next = begin("starts");
    poll();
    BOOST_TEST(!next->is_there());
    ::kill(server->status().pid, SIGKILL);
    BOOST_TEST(finish(next) == "result 2");
}

BOOST_AUTO_TEST_CASE(one_that_comes_when_the_server_hears_no_more_waits_for_the_next)
{
    options.session.close_timeout = 1h;
    run("closes input", 1);
    run_until_state(supervisor_state::running);
    const std::string input = "/proc/" + std::to_string(server->status().pid) + "/fd/0";
    const auto first = begin("echo");
    asio::steady_timer look(context);
    run_until([&] { // that it is closed is nobody's event
        look.expires_after(1ms);
        look.async_wait([](error_code) {});
        return !std::filesystem::exists(std::filesystem::symlink_status(input));
    });
    const auto lost = begin("echo");
    poll();
    const auto next = begin("starts");
    poll();
    BOOST_TEST(!lost->is_there());
    ::kill(server->status().pid, SIGKILL);
    BOOST_TEST(finish(first) == "failed: the server was ended by signal 9 (Killed)");
    BOOST_TEST(finish(lost) == "failed: the server was ended by signal 9 (Killed)");
    BOOST_TEST(finish(next) == "result 2");
}

BOOST_AUTO_TEST_CASE(what_a_server_asks_for_is_served_with_the_methods)
{
    partyline::method_table methods;
    methods.add("double", [](int number) { return 2 * number; });
    std::string heard;
    options.child.on_stderr_line = [&](std::string_view line) { heard = line; };
    const std::string script = R"(echo '{"jsonrpc":"2.0","id":1,"method":"double","params":[21]}'; read answer; )"
                               R"(echo "$answer" >&2; exec cat > /dev/null)";
    server.emplace(context.get_executor(), std::vector<std::string>{"sh", "-c", script}, std::move(methods), options);
    server->async_run([this](error_code result) { run_ended = result; });
    run_until([&] { return !heard.empty(); });
    BOOST_TEST(heard == R"({"jsonrpc":"2.0","id":1,"result":42})");
}

BOOST_AUTO_TEST_CASE(typed_calls_work_as_with_a_session)
{
    run();
    std::optional<int> told;
    server->call<int>("starts", nullptr)([&](error_code, partyline::call_result<int> reply) { told = reply.value(); });
    run_until([&] { return told.has_value(); });
    BOOST_TEST(*told == 1);
}

BOOST_AUTO_TEST_SUITE_END()
