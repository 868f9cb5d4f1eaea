#include "unit/testing/methods.hpp"

#include <partyline/testing.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace kit;
using boost::system::system_error;
using partyline::args;
using partyline::call_params;
using partyline::errc;
using partyline::error_code;
using partyline::rpc_error;
using partyline::test::fake_context;

namespace {

int plain(request_context& context, int a, int b)
{
    if (context.cancelled())
        throw rpc_error(1, "cancelled");
    context.progress(a);
    context.notify("sum", json::array{a + b});
    return a + b;
}

boost::asio::awaitable<error_code> ask(request_context& context, std::string method)
{
    const auto done = boost::asio::as_tuple(boost::asio::use_awaitable);
    const auto [failed, reply] = co_await context.call(method, args(1))(done);
    co_return failed;
}

} // namespace

BOOST_AUTO_TEST_SUITE(test_fake_context, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_plain_handler_is_called_as_a_function)
{
    fake_context context;
    BOOST_TEST(plain(context, 1, 2) == 3);
    BOOST_TEST(context.progress_values().at(0) == json::value(1));
    BOOST_TEST(context.notifications().at(0).method == "sum");
    BOOST_TEST(context.notifications().at(0).params == (json::array{3}));
    context.cancel();
    BOOST_CHECK_THROW(plain(context, 1, 2), rpc_error);
}

BOOST_AUTO_TEST_CASE(a_handler_sees_the_peer_and_the_rights_that_it_is_given)
{
    struct hides_all final : partyline::access_view {
        partyline::access_verdict judge(std::string_view, std::string_view) const noexcept override
        {
            return {partyline::access_answer::hidden};
        }
    };
    fake_context context;
    BOOST_TEST(context.peer().principal.empty());
    BOOST_TEST(!context.access());
    partyline::peer_identity alice;
    alice.principal = "alice";
    context.set_peer(alice);
    const auto view = std::make_shared<const hides_all>();
    context.set_access(view);
    BOOST_TEST(context.peer().principal == "alice");
    BOOST_TEST((context.access() == view));
    BOOST_TEST(!context.http_field("X-Tenant").has_value());
    context.set_http_field("X-Tenant", "a");
    context.set_http_field("x-tenant", "b");
    BOOST_TEST(context.http_field("X-TENANT").value() == "b");
    BOOST_TEST(!context.http_field("X-Other").has_value());
}

BOOST_AUTO_TEST_CASE(a_coroutine_runs_to_its_end)
{
    fake_context context;
    BOOST_TEST(context.run(count(context, 3)) == 3);
    BOOST_TEST(context.progress_values().size() == 3u);
    context.run(wait_for(context, 1ms));
}

BOOST_AUTO_TEST_CASE(what_the_test_has_set_is_seen)
{
    fake_context context;
    BOOST_TEST(context.method() == "method");
    BOOST_TEST(context.id().text() == "1");
    BOOST_TEST(!context.stopping());
    BOOST_TEST(!context.takes_partial_results());
    BOOST_TEST(context.user_data<int>() == nullptr);
    BOOST_TEST(context.facts<int>() == nullptr);
    context.set_method("other");
    context.set_id(partyline::request_id(7));
    context.set_user_data(8);
    context.set_facts(9);
    context.set_binding({partyline::unknown_members::ignored, {}});
    context.take_partial_results();
    context.stop();
    BOOST_TEST(context.method() == "other");
    BOOST_TEST(context.id().text() == "7");
    BOOST_TEST(*context.user_data<int>() == 8);
    BOOST_TEST(*context.facts<int>() == 9);
    BOOST_CHECK(context.binding().unknown == partyline::unknown_members::ignored);
    BOOST_TEST(context.stopping());
    context.partial_result(json::array{1});
    BOOST_TEST(context.partial_results().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_told_is_converted_as_a_session_does)
{
    fake_context context;
    context.progress(std::string("half"));
    context.progress(std::vector<int>{1, 2});
    context.notify("log", partyline::named("level", 3));
    context.notify("log");
    BOOST_TEST(context.progress_values().at(0) == json::value("half"));
    BOOST_TEST(context.progress_values().at(1) == (json::value{1, 2}));
    BOOST_TEST(context.notifications().at(0).params == (json::value{{"level", 3}}));
    BOOST_TEST(context.notifications().at(1).params == json::value());
}

BOOST_AUTO_TEST_CASE(without_an_id_and_without_a_token_nothing_is_told)
{
    fake_context context;
    context.set_id({});
    context.progress(1);
    context.partial_result(1);
    BOOST_TEST(context.progress_values().empty());
    BOOST_TEST(context.partial_results().empty());
}

BOOST_AUTO_TEST_CASE(what_a_session_refuses_is_refused)
{
    fake_context context;
    const json::value infinite = std::numeric_limits<double>::infinity();
    BOOST_CHECK_THROW(context.progress(infinite), std::invalid_argument);
    BOOST_CHECK_THROW(context.notify("x", json::value(1)), std::invalid_argument);
    BOOST_CHECK_THROW(context.notify("x", json::array{infinite}), std::invalid_argument);
    const json::value too_long(std::string(17 << 20, 'x'));
    BOOST_CHECK_THROW(context.progress(too_long), std::invalid_argument);
    BOOST_CHECK_THROW(context.notify("x", json::array{too_long}), std::invalid_argument);
    BOOST_TEST(context.progress_values().empty());
    BOOST_TEST(context.notifications().empty());
}

BOOST_AUTO_TEST_CASE(a_number_that_no_value_holds_is_kept_as_its_text)
{
    fake_context context;
    context.on_call("x", [](const json::value&) { return json::value(1); });
    const call_params params = partyline::json_text(std::string("[1e400]"));
    error_code told = errc::refused;
    context.call("x", params)([&](error_code failed, const partyline::response&) { told = failed; });
    context.notify("x", params);
    BOOST_TEST(context.run(ask(context, "x")) == error_code());
    BOOST_TEST(told == error_code());
    BOOST_TEST(context.calls().at(0).params == json::value("[1e400]"));
    BOOST_TEST(context.notifications().at(0).params == json::value("[1e400]"));
}

BOOST_AUTO_TEST_CASE(calls_are_answered_by_the_test)
{
    fake_context context;
    context.on_call("name", [](const json::value& params) -> json::value {
        return json::string(std::string(params.at(0).as_string()) + "!");
    });
    BOOST_TEST(context.run(greet(context, "hello")) == "hello, hello!");
    BOOST_TEST(context.calls().at(0).method == "name");
    BOOST_TEST(context.calls().at(0).params == (json::array{"hello"}));

    context.on_call("name", [](const json::value&) -> json::value { throw rpc_error(5, "No"); });
    BOOST_CHECK_THROW(context.run(greet(context, "hello")), rpc_error);
    context.on_call("name", [](const json::value&) -> json::value { throw std::runtime_error("oops"); });
    BOOST_TEST(context.run(ask(context, "name")) == make_error_code(errc::bad_reply));
    context.on_call("name", [](const json::value&) { return json::value(1); });
    BOOST_CHECK_THROW(context.run(greet(context, "hello")), system_error); // no string
    BOOST_TEST(context.run(ask(context, "unknown")) == make_error_code(errc::session_closed));
    BOOST_TEST(context.run(ask(context, "")) == make_error_code(errc::bad_params));
    BOOST_CHECK_THROW(context.on_call("name", {}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(batches_and_notifications_of_calls_are_answered)
{
    fake_context context;
    context.on_call("two", [](const json::value&) { return json::value(2); });
    std::string replies;
    error_code told = errc::session_closed;
    const partyline::call_batch batch = partyline::call_batch().call("two").notify("note", {1}).call("unknown");
    context.batch(batch)([&](error_code failed, auto all) {
        replies = failed.message() + "/" + all->at(0)->text() + "/" + all->at(1).code().message();
    });
    static_cast<partyline::caller&>(context).notify("other")([&](error_code failed, auto) { told = failed; });
    BOOST_TEST(replies.empty()); // never from within
    context.run_until_idle();
    const std::string closed = make_error_code(errc::session_closed).message();
    BOOST_TEST(replies == closed + "/2/" + closed);
    BOOST_TEST(told == error_code());
    BOOST_TEST(context.notifications().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_what_a_handler_awaits)
{
    fake_context context;
    auto running = context.start(never(context));
    auto kept = context.start(stubborn(context));
    BOOST_TEST(!running.is_done());
    context.cancel();
    BOOST_CHECK_THROW(running.get(), system_error);
    BOOST_TEST(running.is_done());
    BOOST_TEST(kept.get() == "cleaned up");
}

BOOST_AUTO_TEST_CASE(a_request_that_is_cancelled_already_ends_where_it_first_waits)
{
    fake_context context;
    context.cancel();
    BOOST_TEST(context.run(stubborn(context)) == "cleaned up");
    BOOST_CHECK_THROW(context.run(never(context)), system_error);
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_a_call_that_is_never_answered)
{
    fake_context context;
    context.never_answer("name");
    auto running = context.start(ask(context, "name"));
    context.set_time_limit(20ms);
    try {
        running.get();
        BOOST_ERROR("it has ended");
    } catch (const partyline::test::timed_out& late) {
        BOOST_TEST(std::string(late.what()) == "the handler has not ended within 20 ms; never answered: \"name\"");
    }
    context.set_time_limit(20s);
    context.cancel();
    BOOST_TEST(running.get() == boost::asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(a_call_can_cancel_the_request_that_makes_it)
{
    fake_context context;
    context.on_call("name", [&](const json::value&) {
        context.cancel();
        return json::value("x");
    });
    const auto handler = [&]() -> boost::asio::awaitable<void> {
        co_await context.call<std::string>("name");
        co_await wait_for(context, 1h);
    };
    BOOST_CHECK_THROW(context.run(handler()), system_error);
}

BOOST_AUTO_TEST_CASE(a_result_is_taken_once_and_may_be_move_only)
{
    fake_context context;
    const auto make = []() -> boost::asio::awaitable<std::unique_ptr<int>> { co_return std::make_unique<int>(4); };
    auto running = context.start(make());
    BOOST_TEST(*running.get() == 4);
    BOOST_CHECK_THROW(running.get(), std::logic_error);
    auto moved = std::move(running);
    BOOST_CHECK_THROW(running.is_done(), std::logic_error);
}

BOOST_AUTO_TEST_CASE(destroying_it_ends_what_runs)
{
    bool is_over = false;
    std::optional<partyline::test::running<void>> left;
    std::optional<fake_context> context(std::in_place);
    const auto handler = [&]() -> boost::asio::awaitable<void> {
        const std::shared_ptr<void> end(nullptr, [&](void*) { is_over = true; });
        co_await wait_for(*context, 1h);
    };
    left.emplace(context->start(handler()));
    BOOST_TEST(!is_over);
    context.reset();
    BOOST_TEST(is_over);
    BOOST_CHECK_THROW(left->get(), system_error); // it was cancelled
}

BOOST_AUTO_TEST_CASE(a_handler_runs_on_a_context_of_the_programs_own)
{
    boost::asio::io_context io;
    fake_context context(io);
    BOOST_CHECK(context.get_executor() == boost::asio::any_io_executor(io.get_executor()));
    BOOST_TEST(context.run(count(context, 1)) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
