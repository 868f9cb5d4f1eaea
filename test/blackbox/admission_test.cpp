// Who starts, who waits, and who is refused.

#include "support/answer_sheet.hpp"
#include "support/requests.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

void expect_cancelled(echo_server& s, std::uint64_t id)
{
    s.expect_error(std::to_string(id), -32800);
}

void expect_busy(echo_server& s, std::uint64_t id, std::int64_t limit, std::int64_t value)
{
    const json::object reply = s.read_message();
    BOOST_TEST(reply.at("error").at("message").as_string() == "Server busy");
    const json::value data = check_error(reply, std::to_string(id), -31001);
    BOOST_TEST(data.at("limit").as_int64() == limit);
    BOOST_TEST(data.at("value").as_int64() == value);
}

} // namespace

BOOST_AUTO_TEST_SUITE(admission, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(what_has_no_slot_waits_and_starts_in_order_of_arrival)
{
    echo_server s({"--max-in-flight", "1"});
    s.send_bytes(endless_request(0) + numbered(1, 100, echo_request));
    s.expect_reading();
    s.send_bytes(cancel_of(0));
    expect_cancelled(s, 0);
    for (std::uint64_t id = 1; id <= 100; ++id)
        s.expect(echo_reply(id));
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_slot_is_taken_again_as_soon_as_it_is_free)
{
    echo_server s({"--max-in-flight", "2"});
    s.send_bytes(numbered(0, 4, endless_request) + echo_request(4));
    s.expect_reading();
    for (const std::uint64_t id : {1, 0}) {
        s.send_bytes(cancel_of(id));
        expect_cancelled(s, id);
        s.expect_reading();
    }
    s.send_bytes(cancel_of(2));
    expect_cancelled(s, 2);
    s.expect(echo_reply(4)); // beside 3
}

BOOST_AUTO_TEST_CASE(what_waits_can_be_cancelled)
{
    echo_server s({"--max-in-flight", "1"});
    s.send_bytes(endless_request(0) + numbered(1, 3, echo_request));
    s.send_bytes(cancel_of(2));
    expect_cancelled(s, 2);
    s.expect_reading();
    s.send_bytes(echo_request(2)); // its id is free again
    s.send_bytes(cancel_of(0));
    expect_cancelled(s, 0);
    for (const std::uint64_t id : {1, 3, 2})
        s.expect(echo_reply(id));
}

BOOST_AUTO_TEST_CASE(the_id_of_what_waits_is_taken)
{
    echo_server s({"--max-in-flight", "1"});
    s.send_bytes(endless_request(0) + echo_request(1) + echo_request(1));
    BOOST_TEST(s.expect_error("null", -32600).at("id").as_int64() == 1);
    s.send_bytes(cancel_of(0));
    expect_cancelled(s, 0);
    s.expect(echo_reply(1));
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(what_may_not_even_wait_is_refused_and_may_come_again)
{
    echo_server s({"--max-in-flight", "1", "--max-waiting", "2"});
    s.send_bytes(endless_request(0) + numbered(1, 4, echo_request));
    expect_busy(s, 3, 2, 3);
    expect_busy(s, 4, 2, 3);
    s.send_bytes(cancel_of(1));
    expect_cancelled(s, 1);
    s.send_bytes(echo_request(3)); // in the place of 1
    s.expect_reading();
    s.send_bytes(cancel_of(0));
    expect_cancelled(s, 0);
    s.expect(echo_reply(2));
    s.expect(echo_reply(3));
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(without_room_to_wait_each_is_started_or_refused)
{
    echo_server s({"--max-in-flight", "1", "--max-waiting", "0"});
    s.send_bytes(echo_request(0) + echo_request(1));
    s.expect(echo_reply(0));
    s.expect(echo_reply(1));
    s.send_bytes(endless_request(2) + echo_request(3));
    expect_busy(s, 3, 0, 1);
    s.send_bytes(cancel_of(2));
    expect_cancelled(s, 2);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(what_is_over_the_budget_of_bytes_is_refused_by_its_size)
{
    const std::string line = echo_request(1);
    const auto size = static_cast<std::int64_t>(line.size() - 1);
    echo_server s({"--max-in-flight", "1", "--max-waiting-bytes", std::to_string(size)});
    s.send_bytes(endless_request(0) + line + echo_request(2));
    expect_busy(s, 2, size, 2 * size);
    s.send_bytes(cancel_of(0));
    expect_cancelled(s, 0);
    s.expect(echo_reply(1));
}

BOOST_AUTO_TEST_CASE(a_notification_keeps_its_place_among_what_waits)
{
    echo_server s({"--max-in-flight", "1"});
    s.send_bytes(endless_request(0) + endless_request(1) + notification("log", R"({"message":"delivered"})"));
    s.send_bytes(echo_request(2));
    s.expect_reading();
    s.send_bytes(cancel_of(0));
    expect_cancelled(s, 0);
    s.expect_reading();
    BOOST_TEST(!contains(s.errors(), "delivered"));
    s.send_bytes(cancel_of(1));
    expect_cancelled(s, 1);
    s.expect(echo_reply(2));
    BOOST_TEST(contains(s.errors(), "delivered\n"));
}

BOOST_AUTO_TEST_CASE(a_notification_that_may_not_even_wait_ends_the_session)
{
    echo_server s({"--max-in-flight", "1", "--max-waiting", "1"});
    s.send_bytes(endless_request(0) + echo_request(1) + notification("log", R"({"message":"delivered"})"));
    const std::string replies = s.output().read_rest();
    BOOST_TEST(s.wait_exit() == 3);
    BOOST_TEST(!contains(s.errors(), "delivered"));
    BOOST_TEST(contains(s.errors(), "no room for a notification"));
    for (const char* id : {"0", "1"}) // what was there is told that it is over
        BOOST_TEST(count_of(replies, std::string("\"id\":") + id + ",\"error\":{\"code\":-32800,") == 1, replies);
}

BOOST_AUTO_TEST_CASE(elements_of_a_batch_wait_like_others)
{
    echo_server s({"--max-in-flight", "1", "--max-waiting", "3"});
    std::string batch = "[";
    for (std::uint64_t id = 1; id <= 4; ++id) {
        batch += echo_request(id);
        batch.back() = ',';
    }
    batch.back() = ']';
    s.send_bytes(endless_request(0));
    s.send(batch);
    s.expect_reading();
    s.send_bytes(cancel_of(0) + cancel_of(2));
    expect_cancelled(s, 0);
    answer_sheet answers(5);
    const json::value replies = json::parse(s.read_line());
    for (const json::value& reply : replies.as_array())
        answers.note(json::serialize(reply));
    BOOST_TEST(answers.total() == 4u);
    BOOST_TEST(answers.errors(-31001) == 1u);
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(what_waits_at_the_end_of_input_is_answered)
{
    echo_server s({"--max-in-flight", "1"});
    s.send_bytes(request(0, "delay", R"({"ms":50,"value":[0]})") + numbered(1, 100, echo_request));
    s.close_input();
    for (std::uint64_t id = 0; id <= 100; ++id)
        s.expect(echo_reply(id));
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(what_waits_when_the_drain_time_is_over_is_cancelled)
{
    echo_server s({"--max-in-flight", "1", "--drain-ms", "50", "--stats"});
    s.send_bytes(numbered(0, 100, endless_request));
    s.close_input();
    answer_sheet answers(100);
    s.output().read_lines(answers.noting(), [] { return false; });
    BOOST_TEST(answers.errors(-32800) == 100u);
    BOOST_TEST(s.wait_exit() == 4);
    BOOST_TEST(s.stats()["peak_waiting"] == 99u);
}

BOOST_AUTO_TEST_SUITE_END()
