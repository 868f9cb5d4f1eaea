#include "unit/testing/methods.hpp"
#include "unit/testing/thrown.hpp"

#include <partyline/session.hpp>
#include <partyline/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <stdexcept>
#include <string>

using namespace kit;
using partyline::rpc_error;
using partyline::test::client;
using partyline::test::client_options;

BOOST_AUTO_TEST_SUITE(test_client_pending, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(calls_overlap)
{
    client c(methods());
    auto slow = c.start<std::string>("stubborn");
    auto quick = c.start<int>("add", partyline::args(1, 2));
    BOOST_TEST(!quick.is_done());
    c.run_until_idle();
    BOOST_TEST(quick.is_done());
    BOOST_TEST(!slow.is_done());
}

BOOST_AUTO_TEST_CASE(what_a_cancelled_handler_answers_is_seen)
{
    client c(methods());
    auto gone = c.start<int>("never");
    auto kept = c.start<std::string>("stubborn");
    gone.cancel();
    kept.cancel();
    BOOST_TEST(gone.error().code == partyline::error_codes::request_cancelled);
    BOOST_CHECK_THROW(gone.get(), rpc_error);
    BOOST_TEST(kept.get() == "cleaned up");
    kept.cancel();
    BOOST_TEST(c.call<int>("add", partyline::args(1, 2)) == 3);
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_a_handler_that_runs)
{
    client c(methods());
    auto gone = c.start<int>("never");
    auto other = c.start<std::string>("stubborn");
    c.run_until_idle();
    BOOST_TEST(c.server().counters().in_flight == 2u);
    gone.cancel();
    c.run_until_idle();
    BOOST_TEST(gone.is_done());
    BOOST_TEST(!other.is_done());
}

BOOST_AUTO_TEST_CASE(a_pending_call_outlives_its_client)
{
    std::optional<client> c(methods());
    auto done = c->start<int>("add", partyline::args(1, 2));
    auto late = c->start<int>("never");
    c->run_until_idle();
    c.reset();
    BOOST_TEST(done.get() == 3);
    BOOST_CHECK_THROW(late.get(), std::exception);
    late.cancel();
}

BOOST_AUTO_TEST_CASE(what_was_moved_from_says_so)
{
    client c(methods());
    client moved = std::move(c);
    BOOST_TEST(thrown_by<std::logic_error>([&] { c.call<int>("add", partyline::args(1, 2)); }) ==
               "this client was moved from");
    BOOST_CHECK_THROW(c.run_until_idle(), std::logic_error);
    BOOST_CHECK_THROW(c.end(), std::logic_error);
    auto call = moved.start<int>("add", partyline::args(1, 2));
    auto other = std::move(call);
    BOOST_CHECK_THROW(call.get(), std::logic_error);
    BOOST_CHECK_THROW(call.is_done(), std::logic_error);
    BOOST_TEST(other.get() == 3);
    c = std::move(moved);
    BOOST_TEST(c.call<int>("add", partyline::args(1, 2)) == 3);
}

BOOST_AUTO_TEST_CASE(a_handler_that_calls_its_client_is_told)
{
    std::optional<client> c;
    std::string said;
    partyline::method_table table;
    table.add("again", [&] { said = thrown_by<std::logic_error>([&] { c->call<int>("again"); }); });
    c.emplace(std::move(table));
    c->call<void>("again");
    BOOST_TEST(contains(said, "a handler calls its peer by its request_context"));
}

BOOST_AUTO_TEST_CASE(null_methods_and_profiles_are_refused)
{
    BOOST_CHECK_THROW(client(std::shared_ptr<const partyline::dispatcher>()), std::invalid_argument);
    client_options options;
    options.server.profile = nullptr;
    BOOST_CHECK_THROW(client(methods(), std::move(options)), std::invalid_argument);
    client_options stuck;
    stuck.server.bounds.outbox_hard_bytes = 1;
    BOOST_CHECK_THROW(client(methods(), std::move(stuck)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
