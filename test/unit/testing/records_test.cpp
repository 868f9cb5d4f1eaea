#include "unit/testing/methods.hpp"
#include "unit/testing/texts.hpp"

#include <partyline/session.hpp>
#include <partyline/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace json = boost::json;
using namespace kit;
using partyline::error_code;
using partyline::named;
using partyline::test::client;
using partyline::test::client_options;

namespace {

boost::asio::awaitable<void> tell(request_context& context)
{
    json::array params{1};
    co_await context.notify("one", std::move(params));
    co_await context.progress("half");
    co_await context.notify("two");
}

} // namespace

BOOST_AUTO_TEST_SUITE(test_client_records, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(progress_is_recorded_by_call_and_overall)
{
    client c(methods());
    auto one = c.start<int>("count", partyline::args(3));
    BOOST_TEST(one.progress().empty());
    BOOST_TEST(one.get() == 3);
    BOOST_TEST(c.call<int>("count", named("to", 1)) == 1);
    BOOST_TEST(texts(one.progress()) == (strings{"1", "2", "3"}), boost::test_tools::per_element());
    const strings all{"count 1 1", "count 1 2", "count 1 3", "count 2 1"};
    BOOST_TEST(texts(c.progress()) == all, boost::test_tools::per_element());
    BOOST_TEST(c.take_progress().size() == 4u);
    BOOST_TEST(c.progress().empty());
}

BOOST_AUTO_TEST_CASE(notifications_are_recorded_in_order)
{
    partyline::method_table table = methods();
    table.add("tell", tell);
    client c(std::move(table));
    auto call = c.start<void>("tell");
    call.get();
    BOOST_TEST(texts(c.notifications()) == (strings{"one [1]", "two null"}), boost::test_tools::per_element());
    BOOST_TEST(texts(call.progress()) == (strings{"\"half\""}), boost::test_tools::per_element());
    BOOST_TEST(c.take_notifications().size() == 2u);
    BOOST_TEST(c.notifications().empty());
}

BOOST_AUTO_TEST_CASE(what_is_as_deep_as_the_server_may_speak_is_recorded)
{
    json::value deep = 1;
    for (int i = 0; i != 200; ++i)
        deep = json::array{std::move(deep)};
    partyline::method_table table;
    table.add("tell", [&](request_context& context) {
        context.notify("deep", deep);
        context.progress(deep);
    });
    client_options options;
    options.server.bounds.depth = 300;
    client c(std::move(table), std::move(options));
    c.call<void>("tell");
    BOOST_REQUIRE(c.notifications().size() == 1u);
    BOOST_TEST(c.notifications()[0].params == deep);
    BOOST_TEST(c.progress().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_the_server_says_by_itself_is_recorded)
{
    client c(methods());
    c.server().notify("ready", json::object{{"a", 1}})([](error_code, auto) {});
    BOOST_TEST(c.notifications().empty());
    c.run_until_idle();
    BOOST_TEST(texts(c.notifications()) == (strings{"ready {\"a\":1}"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_notification_has_been_handled_when_notify_returns)
{
    std::vector<int> heard;
    partyline::method_table table;
    table.add_notification("set", [&](int value) { heard.push_back(value); });
    client c(std::move(table));
    c.notify("set", partyline::args(1));
    BOOST_TEST(heard.size() == 1u);
    c.notify("set", partyline::args(2));
    c.notify("unknown");
    BOOST_TEST(heard == (std::vector<int>{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(c.error_of("set", partyline::args(1)).code == partyline::error_codes::method_not_found);
}

BOOST_AUTO_TEST_CASE(a_handler_calls_the_client_back)
{
    client_options options;
    strings asked;
    options.methods.add("name", [&](std::string by) {
        asked.push_back(by);
        return std::string("world");
    });
    options.methods.add_notification("one", [&](int value) { asked.push_back(std::to_string(value)); });
    partyline::method_table table = methods();
    table.add("tell", tell);
    client c(std::move(table), std::move(options));
    BOOST_TEST(c.call<std::string>("greet", partyline::args("hello")) == "hello, world");
    c.call<void>("tell");
    BOOST_TEST(asked == (strings{"hello", "1"}), boost::test_tools::per_element());
    BOOST_TEST(c.notifications().size() == 2u); // recorded all the same
}

BOOST_AUTO_TEST_CASE(a_client_without_the_method_answers_that)
{
    client c(methods());
    BOOST_TEST(c.error_of("greet", partyline::args("hello")).code == partyline::error_codes::method_not_found);
}

BOOST_AUTO_TEST_SUITE_END()
