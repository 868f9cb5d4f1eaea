#include "cases.hpp"
#include "transport_fixture.hpp"

#include <partyline/transport/child_exit.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

std::deque<outcome> start_calls(transport_fixture& r, const char* method, call_params params = nullptr)
{
    std::deque<outcome> calls(5);
    for (outcome& one : calls)
        r.client().call(method, params)(one.handler());
    return calls; // where the handlers look for them
}

void wait_for_all(transport_fixture& r, const std::deque<outcome>& calls)
{
    r.run_until(
        [&] { return std::all_of(calls.begin(), calls.end(), [](const outcome& one) { return one.is_there(); }); });
}

void a_server_that_vanishes_leaves_no_call_open(transport_fixture& r)
{
    const error_code expected = r.over.is_process ? child_exit::with_status(3).code() : error_code(errc::peer_closed);
    const std::deque<outcome> calls = start_calls(r, "stubborn");
    outcome later;
    r.wait_for("held", 5);
    r.client().notify("vanish", nullptr)([](error_code, auto) {});
    BOOST_TEST(r.wait_end() == expected);
    wait_for_all(r, calls);
    for (const outcome& one : calls)
        BOOST_TEST(one.text() == failed(expected));
    r.client().call("echo", nullptr)(later.handler());
    r.run_until([&] { return later.is_there(); });
    BOOST_TEST(later.text() == failed(errc::session_closed));
}

void closing_brings_the_results_of_what_is_under_way(transport_fixture& r)
{
    const std::deque<outcome> calls = start_calls(r, "delay", {30});
    outcome deep, later;
    r.client().call("descend", {4})(deep.handler());
    r.client().close();
    r.client().call("echo", nullptr)(later.handler());
    BOOST_TEST(r.wait_end() == error_code());
    wait_for_all(r, calls);
    for (const outcome& one : calls)
        BOOST_TEST(one.text() == "result null");
    BOOST_TEST(deep.text() == "result 4");
    BOOST_TEST(later.text() == failed(errc::session_closed));
    if (!r.over.is_process) {
        r.run_until([&] { return r.server().result().has_value(); });
        BOOST_TEST(*r.server().result() == error_code());
    }
}

void stopping_fails_what_is_open(transport_fixture& r)
{
    const std::deque<outcome> calls = start_calls(r, "hold");
    r.wait_for("held", 5);
    r.client().stop();
    BOOST_TEST(r.wait_end() == error_code(asio::error::operation_aborted));
    wait_for_all(r, calls);
    for (const outcome& one : calls)
        BOOST_TEST(one.text() == failed(errc::session_closed));
}

void destruction_fails_what_is_open(transport_fixture& r)
{
    const std::deque<outcome> calls = start_calls(r, "hold");
    r.wait_for("held", 5);
    r.destroy_client();
    BOOST_TEST(r.wait_end() == error_code(asio::error::operation_aborted));
    wait_for_all(r, calls);
    for (const outcome& one : calls)
        BOOST_TEST(one.text() == failed(errc::session_closed));
}

// Both have nothing more to say at the same time.
void closing_at_once_ends_both(transport_fixture& r)
{
    BOOST_TEST(r.ask("echo", {1}) == "result [1]");
    r.client().close();
    BOOST_TEST(r.wait_end() == error_code());
}

} // namespace

std::vector<behaviour_case> end_cases()
{
    return {
        {"a_server_that_vanishes_leaves_no_call_open", a_server_that_vanishes_leaves_no_call_open},
        {"closing_brings_the_results_of_what_is_under_way", closing_brings_the_results_of_what_is_under_way},
        {"stopping_fails_what_is_open", stopping_fails_what_is_open},
        {"destruction_fails_what_is_open", destruction_fails_what_is_open},
        {"closing_at_once_ends_both", closing_at_once_ends_both},
    };
}

} // namespace partyline::test
