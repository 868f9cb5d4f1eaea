#include "cases.hpp"
#include "support/sanitized.hpp"
#include "transport_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace std::chrono_literals;

namespace partyline::test {
namespace {

// The server has answered all the same; nobody has heard it.
void expect_late_reply(transport_fixture& r)
{
    r.wait_for("cancelled", 1);
    r.run_until([&] { return r.client().counters().late_replies == 1; });
    BOOST_TEST(r.client().counters().open_calls == 0u);
}

void a_cancelled_call_ends_its_handler(transport_fixture& r)
{
    outcome held;
    asio::cancellation_signal signal;
    r.client().call("hold", nullptr)(asio::bind_cancellation_slot(signal.slot(), held.handler()));
    r.wait_for("held", 1);
    signal.emit(asio::cancellation_type::total);
    r.run_until([&] { return held.is_there(); });
    BOOST_TEST(r.client().counters().late_replies == 0u); // it did not wait for one
    expect_late_reply(r);
    BOOST_TEST(held.text() == failed(asio::error::operation_aborted));
}

void a_call_whose_time_is_over_ends_its_handler(transport_fixture& r)
{
    outcome held;
    call_options how;
    how.timeout(20ms);
    r.client().call("hold", nullptr, how)(held.handler());
    r.run_until([&] { return held.is_there(); });
    expect_late_reply(r);
    BOOST_TEST(held.text() == failed(errc::timeout));
}

void progress_does_not_put_the_whole_timeout_off(transport_fixture& r)
{
    outcome ticked;
    int heard = 0;
    call_options how;
    how.timeout(50ms);
    how.idle_timeout(20s);
    how.on_progress([&](const json::value&) { ++heard; });
    r.client().call("tick", {{"ms", 20'000}}, how)(ticked.handler());
    r.run_until([&] { return ticked.is_there(); });
    BOOST_TEST(ticked.text() == failed(errc::timeout));
    const int before = heard;
    BOOST_TEST(r.ask("echo", {1}) == "result [1]");
    r.run_until([&] { return r.client().counters().late_replies == 1; });
    BOOST_TEST(heard == before); // nor does it come later
}

} // namespace

std::vector<behaviour_case> cancel_cases()
{
    return {
        {"a_cancelled_call_ends_its_handler", a_cancelled_call_ends_its_handler},
        {"a_call_whose_time_is_over_ends_its_handler", a_call_whose_time_is_over_ends_its_handler},
        {"progress_does_not_put_the_whole_timeout_off", progress_does_not_put_the_whole_timeout_off},
    };
}

} // namespace partyline::test
