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

BOOST_AUTO_TEST_SUITE_END()
