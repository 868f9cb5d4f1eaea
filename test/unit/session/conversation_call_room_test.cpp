// Calls and a peer that does not read.

#include "support/dialogue.hpp"
#include "support/outcome.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::call_options;
using partyline::errc;
using partyline::error_code;

namespace {

// Fills what the memory pair holds, and the outbox to above its soft mark.
struct fixture : dialogue {
    outcome first;
    std::string filler;

    fixture()
    {
        options.bounds.outbox_soft_bytes = 1000;
        options.bounds.call_bytes = 3000;
        filler.assign(200000, 'x');
    }

    ~fixture()
    {
        destroy_session();
        settle();
    }

    void fill()
    {
        start();
        stop_reading();
        server().call("big", {filler})(first.handler());
        settle();
        BOOST_TEST(server().counters().outbox_bytes > options.bounds.outbox_soft_bytes);
    }

    void drain()
    {
        resume_reading();
        const std::string line = receive();
        BOOST_TEST(line.size() > filler.size());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(conversation_call_room, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(calls_and_notifications_wait_in_order)
{
    fill();
    outcome second;
    std::vector<std::string> told;
    server().call("second", nullptr)(second.handler());
    server().notify("third", nullptr)([&](error_code failed, auto) { told.push_back(failed.message()); });
    settle();
    BOOST_TEST(told.empty());
    BOOST_TEST(server().counters().calls == 1);
    BOOST_TEST(server().counters().open_calls == 2);
    drain();
    expect(request("2", "second"));
    expect(notification("third"));
    run_until([&] { return !told.empty(); });
    send(result("2", "2"));
    run_until([&] { return second.is_there(); });
    BOOST_TEST(second.text() == "result 2");
}

BOOST_AUTO_TEST_CASE(one_that_was_not_sent_is_cancelled_without_a_word)
{
    fill();
    asio::cancellation_signal call_signal, notify_signal;
    outcome second;
    error_code told;
    server().call("second", nullptr)(asio::bind_cancellation_slot(call_signal.slot(), second.handler()));
    server().notify("third", nullptr)(
        asio::bind_cancellation_slot(notify_signal.slot(), [&](error_code failed, auto) { told = failed; }));
    settle();
    call_signal.emit(asio::cancellation_type::all);
    notify_signal.emit(asio::cancellation_type::all);
    run_until([&] { return second.is_there() && told; });
    BOOST_TEST(second.text() == failed(asio::error::operation_aborted));
    BOOST_TEST(told == error_code(asio::error::operation_aborted));
    drain();
    expect_silence();
}

BOOST_AUTO_TEST_CASE(one_that_was_not_sent_times_out)
{
    fill();
    outcome second;
    server().call("second", nullptr, call_options().timeout(20ms))(second.handler());
    run_until([&] { return second.is_there(); });
    BOOST_TEST(second.text() == failed(errc::timeout));
    drain();
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_reply_to_one_that_was_not_sent_is_none)
{
    fill();
    outcome second;
    server().call("second", nullptr)(second.handler());
    settle();
    send(result("2", "\"guessed\""));
    run_until([&] { return server().counters().stray_replies == 1; });
    BOOST_TEST(!second.is_there());
    drain();
    expect(request("2", "second"));
    send(result("2", "\"own\""));
    run_until([&] { return second.is_there(); });
    BOOST_TEST(second.text() == "result \"own\"");
}

BOOST_AUTO_TEST_CASE(what_waits_is_bounded)
{
    fill();
    outcome fits, exceeds;
    server().call("m", {std::string(2000, 'y')})(fits.handler());
    server().call("m", {std::string(2000, 'z')})(exceeds.handler());
    run_until([&] { return exceeds.is_there(); });
    BOOST_TEST(exceeds.text() == failed(errc::too_many_calls));
    drain();
    receive();
    send(result("2", "2"));
    run_until([&] { return fits.is_there(); });
}

BOOST_AUTO_TEST_CASE(what_was_cancelled_or_sent_makes_room_for_what_comes_later)
{
    fill();
    for (int i = 0; i != 4; ++i) { // all in all, far beyond the limit
        asio::cancellation_signal signal;
        outcome cancelled;
        server().call("m", {std::string(2000, 'y')})(asio::bind_cancellation_slot(signal.slot(), cancelled.handler()));
        settle();
        signal.emit(asio::cancellation_type::all);
        run_until([&] { return cancelled.is_there(); });
        BOOST_TEST(cancelled.text() == failed(asio::error::operation_aborted));
    }
    outcome sent, exceeds, later;
    server().call("m", {std::string(2000, 'y')})(sent.handler());
    server().call("m", {std::string(2000, 'z')})(exceeds.handler());
    run_until([&] { return exceeds.is_there(); });
    BOOST_TEST(exceeds.text() == failed(errc::too_many_calls));
    drain();
    receive();
    for (int i = 0; i != 4; ++i) {
        server().notify("n", {std::string(2000, 'y')})([&](error_code code, auto) { later.take(code, {}); });
        receive();
    }
    run_until([&] { return later.times == 4; });
    BOOST_TEST(later.code == error_code());
    BOOST_TEST(!sent.is_there());
    send(result("6", "1"));
    run_until([&] { return sent.is_there(); });
    BOOST_TEST(sent.text() == "result 1");
}

BOOST_AUTO_TEST_CASE(the_end_of_input_does_not_drop_notifications)
{
    fill();
    std::vector<bool> told;
    outcome second;
    server().call("second", nullptr)(second.handler());
    server().notify("third", nullptr)([&](error_code failed, auto) { told.push_back(!failed); });
    settle();
    end_input();
    run_until([&] { return second.is_there(); });
    BOOST_TEST(second.text() == failed(errc::peer_closed));
    BOOST_TEST(first.text() == failed(errc::peer_closed));
    drain();
    expect(notification("third"));
    BOOST_TEST(wait_end() == error_code(errc::peer_closed));
    BOOST_TEST(told == std::vector<bool>{true});
}

BOOST_AUTO_TEST_SUITE_END()
