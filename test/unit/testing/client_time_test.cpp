#include "unit/testing/methods.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/testing.hpp>

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

using namespace kit;
using partyline::test::client;
using partyline::test::client_options;

namespace {

/// What a call of the client says that is too late. All that can happen has happened before, however slow the machine.
template <class Act>
std::string said_when_late(client& c, Act act)
{
    c.run_until_idle();
    c.set_time_limit(50ms);
    const std::string said = thrown_by<partyline::test::timed_out>(act);
    c.set_time_limit(20s);
    return said;
}

} // namespace

BOOST_AUTO_TEST_SUITE(test_client_time, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_handler_that_never_answers_is_told_with_what_is_in_flight)
{
    client c(methods());
    auto other = c.start<std::string>("stubborn");
    auto call = c.start<int>("never");
    BOOST_TEST(said_when_late(c, [&] { call.get(); }) ==
               "\"never\" has not been answered within 50 ms; in flight: \"stubborn\", \"never\"");
    BOOST_TEST(c.call<int>("add", partyline::args(1, 2)) == 3);
}

BOOST_AUTO_TEST_CASE(calls_back_that_are_not_answered_are_told)
{
    client_options options;
    options.methods.add("name", [](request_context& context, std::string) -> boost::asio::awaitable<std::string> {
        co_await wait_for(context, 1h);
        co_return "late";
    });
    client c(methods(), std::move(options));
    auto call = c.start<std::string>("greet", partyline::args("hello"));
    BOOST_TEST(said_when_late(c, [&] { call.get(); }) ==
               "\"greet\" has not been answered within 50 ms; in flight: \"greet\"; the client has not answered the "
               "server's \"name\"");
}

BOOST_AUTO_TEST_CASE(two_calls_that_wait_for_each_other_are_told)
{
    partyline::method_table table;
    bool is_one_done = false;
    bool is_other_done = false;
    const auto add = [&](std::string name, bool& own, bool& others) {
        table.add(std::move(name), [&own, &others](request_context& context) -> boost::asio::awaitable<void> {
            while (!others)
                co_await wait_for(context, 1ms);
            own = true;
        });
    };
    add("one", is_one_done, is_other_done);
    add("other", is_other_done, is_one_done);
    client c(std::move(table));
    auto one = c.start<void>("one");
    auto other = c.start<void>("other");
    const std::string said = said_when_late(c, [&] { one.get(); });
    BOOST_TEST(contains(said, "in flight: \"one\", \"other\""));
    is_one_done = true;
    one.cancel();
    other.get();
}

BOOST_AUTO_TEST_CASE(requests_that_wait_for_their_start_are_told)
{
    client_options options;
    options.server.bounds.in_flight_requests = 1;
    client c(methods(), std::move(options));
    auto first = c.start<int>("never");
    auto second = c.start<int>("add", partyline::args(1, 2));
    BOOST_TEST(contains(said_when_late(c, [&] { second.get(); }), "; 1 of the requests have not been started"));
    first.cancel();
    BOOST_TEST(second.get() == 3);
}

BOOST_AUTO_TEST_CASE(what_has_no_end_is_no_hang)
{
    client_options options;
    options.time_limit = 50ms;
    client c(methods(), std::move(options));
    struct again {
        boost::asio::any_io_executor on;
        void operator()() const { boost::asio::post(on, *this); }
    };
    boost::asio::post(c.get_executor(), again{c.get_executor()});
    BOOST_CHECK_THROW(c.run_until_idle(), partyline::test::timed_out);
    BOOST_CHECK_THROW(c.run_until([] { return false; }), partyline::test::timed_out);
    BOOST_CHECK_THROW(c.call<int>("never"), partyline::test::timed_out);
}

BOOST_AUTO_TEST_CASE(run_until_waits_for_a_timer_and_idle_does_not)
{
    client c(methods());
    auto counting = c.start<int>("count", partyline::args(3));
    c.run_until_idle();
    BOOST_TEST(!counting.is_done());
    c.run_until([&] { return counting.is_done(); });
    BOOST_TEST(counting.get() == 3);
    BOOST_TEST(counting.get() == 3);
    c.set_time_limit(10ms);
    BOOST_TEST(contains(thrown_by<partyline::test::timed_out>([&] { c.run_until([] { return false; }); }),
                        "what run_until waits for has not come to pass within 10 ms"));
}

BOOST_AUTO_TEST_SUITE_END()
