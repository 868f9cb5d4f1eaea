// Handlers that wait for the peer: "ask" sends the notification "question" and waits for the notification "answer".

#include "support/answer_sheet.hpp"
#include "support/requests.hpp"
#include "support/server_process.hpp"

#include <boost/test/unit_test.hpp>

namespace json = boost::json;
using namespace partyline::test;

namespace {

std::string ask(std::uint64_t id)
{
    return request(id, "ask", R"({"question":"what?"})");
}

std::string answer(std::uint64_t id)
{
    const std::string number = std::to_string(id);
    return notification("answer", R"({"id":)" + number + R"(,"value":[)" + number + "]}");
}

void expect_question(echo_server& s, std::uint64_t id)
{
    s.expect(R"({"jsonrpc":"2.0","method":"question","params":{"id":)" + std::to_string(id) +
             R"(,"question":"what?"}})");
}

} // namespace

BOOST_AUTO_TEST_SUITE(peer_wait, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_question_is_answered)
{
    echo_server s;
    s.send_bytes(ask(1));
    expect_question(s, 1);
    s.send_bytes(answer(2) + answer(1)); // to the first, nobody listens
    s.expect(echo_reply(1));
    s.expect_silence();
}

BOOST_AUTO_TEST_CASE(ids_that_are_one_number_are_several_questions)
{
    const std::vector<std::string> ids{"1.0",         "1e0", "1", "100e-2", "\"1\"", "1e400", "9007199254740993",
                                       "\"\\u0061\"", "null"};
    echo_server s;
    for (const std::string& id : ids) {
        s.send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ask","params":["wh\u0061t?"]})");
        s.expect(R"({"jsonrpc":"2.0","method":"question","params":{"id":)" + id + R"(,"question":"what?"}})");
    }
    for (const std::string& id : ids) {
        const std::string as_said = id.find('\\') == id.npos ? id : "\"a\""; // a string may be spelt otherwise
        s.send_bytes(notification("answer", R"({"value":0,"id":)" + as_said + '}'));
        s.expect(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":0})");
    }
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(questions_without_an_id_are_not_asked)
{
    echo_server s;
    for (int i = 0; i < 2; ++i)
        s.send_bytes(notification("ask", R"(["what?"])"));
    s.send_bytes(echo_request(1));
    s.expect(echo_reply(1));
    s.close_input();
    s.expect_end(0);
}

// Neither of the two sides gets on but for the other's answers.
BOOST_AUTO_TEST_CASE(two_sides_at_their_caps_that_ask_each_other_go_on)
{
    const std::uint64_t count = 2'000;
    echo_server s({"--max-in-flight", "4", "--max-peer-waits", "10000"});
    answer_sheet answers(count);
    std::string due;
    const line_handler on_line = [&](std::string_view line) {
        if (line.find("\"question\"") == std::string_view::npos)
            return answers.note(line);
        const std::string_view id = line.substr(line.find("\"id\":") + 5);
        due += answer(std::stoull(std::string(id.substr(0, id.find(',')))));
    };
    exchange(s.input().get(), numbered(0, count, ask), s.output(), on_line);
    while (!answers.is_complete()) {
        exchange(s.input().get(), std::exchange(due, {}), s.output(), on_line);
        s.output().read_lines(on_line, [&] { return !due.empty() || answers.is_complete(); });
    }
    BOOST_TEST(answers.results() == count);
    s.close_input();
    s.expect_end(0);
}

BOOST_AUTO_TEST_CASE(a_hundred_times_as_many_as_may_ask_can_all_be_cancelled)
{
    const std::uint64_t count = 200;
    echo_server s({"--max-in-flight", "1", "--max-peer-waits", "2", "--stats"});
    s.send_bytes(numbered(0, count, ask));
    for (const std::uint64_t id : {0, 1, 2})
        expect_question(s, id);
    s.expect_reading();
    answer_sheet answers(count);
    // Backwards, so that none of those that wait gets a slot.
    std::string cancels;
    for (std::uint64_t id = count; id-- > 0;)
        cancels += cancel_of(id);
    exchange(s.input().get(), cancels, s.output(), answers.noting());
    s.output().read_lines(answers.noting(), [&] { return answers.is_complete(); });
    BOOST_TEST(answers.errors(-32800) == count);
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(s.stats()["peak_waiting"] == count - 3);
}

BOOST_AUTO_TEST_CASE(questions_that_are_open_at_the_end_of_input_are_cancelled_in_time)
{
    echo_server s({"--drain-ms", "50"});
    s.send_bytes(ask(1));
    expect_question(s, 1);
    s.close_input();
    s.expect_error("1", -32800);
    s.expect_end(4);
}

BOOST_AUTO_TEST_SUITE_END()
