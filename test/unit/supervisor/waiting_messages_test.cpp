#include "session/calls/make_outgoing.hpp"
#include "supervisor/waiting_messages.hpp"
#include "support/outcome.hpp"

#include <partyline/session/call_batch.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <list>

using namespace std::chrono_literals;
using partyline::call_batch;
using partyline::errc;
using partyline::error_code;
using partyline::limits;
using partyline::outgoing_message;
using partyline::steady_time;
using partyline::waiting_messages;
using message = std::shared_ptr<outgoing_message>;

namespace {

struct fixture {
    boost::asio::io_context context;
    std::deque<partyline::test::outcome> calls;
    std::deque<error_code> notes;
    error_code failed;
    limits bounds;
    const partyline::call_rules rules{partyline::session_options()};

    partyline::call_origin origin() { return {rules, context.get_executor()}; }
    message call(std::string params = "[]", partyline::call_options how = {})
    {
        return partyline::make_call("m", boost::json::parse(params), std::move(how), calls.emplace_back().handler(),
                                    origin(), failed);
    }
    message call_within(partyline::steady_duration timeout, partyline::steady_duration idle = 0s)
    {
        partyline::call_options how;
        how.timeout(timeout);
        how.idle_timeout(idle);
        return call("[]", how);
    }
    message note()
    {
        error_code& told = notes.emplace_back();
        return partyline::make_notification(
            "m", nullptr, [&told](error_code result) { told = result; }, origin(), failed);
    }
    std::string told(std::size_t which)
    {
        context.restart();
        context.poll();
        return calls[which].is_there() ? calls[which].text() : "waits";
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(waiting_messages_suite, fixture)

BOOST_AUTO_TEST_CASE(they_leave_in_the_order_in_which_they_came)
{
    waiting_messages all(bounds);
    const message one = call();
    const message two = note();
    const message three = call();
    for (const message& each : {one, two, three})
        all.add(each);
    BOOST_TEST(all.take() == one);
    BOOST_TEST(all.take() == two);
    BOOST_TEST(all.take() == three);
    BOOST_TEST(!all.take());
    BOOST_TEST(told(0) == "waits");
}

BOOST_AUTO_TEST_CASE(no_more_wait_than_may_and_what_leaves_makes_room)
{
    bounds.calls = 3;
    waiting_messages all(bounds);
    all.add(call());
    all.add(note());
    const message batch = make_batch(call_batch().call("a").call("b"), {}, [](auto...) {}, origin(), failed);
    all.add(batch); // of two calls
    BOOST_TEST(!batch->waiting.has_value());
    all.add(call());
    all.add(call());
    BOOST_TEST(told(1) == "waits");
    BOOST_TEST(calls[2].is_there());
    BOOST_TEST(calls[2].code == error_code(errc::too_many_calls));
    all.take();
    all.add(call());
    BOOST_TEST(told(3) == "waits");
}

BOOST_AUTO_TEST_CASE(their_bytes_are_bounded)
{
    bounds.call_bytes = 8; // each is of its name's byte and its params
    waiting_messages all(bounds);
    all.add(call("[1,2]"));
    all.add(call("[]"));
    BOOST_TEST(told(1) != "waits");
    all.take();
    all.add(call("[1,2,3]"));
    BOOST_TEST(told(2) == "waits");
}

BOOST_AUTO_TEST_CASE(one_whose_time_is_over_is_settled_and_no_other)
{
    waiting_messages all(bounds);
    BOOST_TEST((all.next_due() == steady_time::max()));
    const message late = call_within(2h);
    const message soon = call_within(1h);
    const message idle = call_within(5h, 90min);
    all.add(late);
    all.add(soon);
    all.add(idle);
    all.add(call());
    BOOST_TEST((all.next_due() == soon->begun + 1h));
    all.expire(soon->begun + 1h - 1ns);
    BOOST_TEST(told(1) == "waits");
    all.expire(soon->begun + 1h);
    BOOST_TEST(told(1) == "failed: no reply within the time that the call had");
    BOOST_TEST((all.next_due() == idle->begun + 90min));
    all.expire(late->begun + 2h);
    BOOST_TEST(told(2) != "waits");
    BOOST_TEST(told(0) != "waits");
    BOOST_TEST(told(3) == "waits");
    BOOST_TEST((all.next_due() == steady_time::max()));
}

BOOST_AUTO_TEST_CASE(one_that_is_cancelled_is_settled_once)
{
    waiting_messages all(bounds);
    const message one = call();
    all.add(one);
    BOOST_TEST(all.cancel(*one, boost::asio::error::operation_aborted));
    BOOST_TEST(!all.cancel(*one, boost::asio::error::operation_aborted));
    BOOST_TEST(told(0) == "failed: Operation canceled");
    BOOST_TEST(all.empty());
}

BOOST_AUTO_TEST_CASE(one_that_waits_in_a_session_is_not_cancelled_here)
{
    waiting_messages all(bounds);
    std::list<message> elsewhere{call()};
    outgoing_message& one = *elsewhere.front();
    one.waiting = elsewhere.begin();
    one.via = reinterpret_cast<partyline::outlet*>(&elsewhere); // nobody looks at it
    BOOST_TEST(!all.cancel(one, boost::asio::error::operation_aborted));
    BOOST_TEST(told(0) == "waits");
    one.waiting.reset();
}

BOOST_AUTO_TEST_CASE(all_are_told_why)
{
    waiting_messages all(bounds);
    all.add(call());
    all.add(note());
    all.refuse_all(errc::gave_up, "it has died");
    BOOST_TEST(told(0) == "failed: the server has ended and is not started again");
    BOOST_TEST(calls[0].said.details() == "it has died");
    BOOST_TEST(notes[0] == error_code(errc::gave_up));
}

BOOST_AUTO_TEST_SUITE_END()
