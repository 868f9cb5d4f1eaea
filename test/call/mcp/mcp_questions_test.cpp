// What a server asks the user.

#include "mcp_program.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

using namespace call::test;
using partyline::test::contains;

namespace {

// Asks for a page before it answers the call, request 2, and shows the answer.
const std::string page_server = R"(read -r line
    say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"mode":"url","message":"Log in",)"
                                R"("url":"https://a.example/?x=1","elicitationId":"e"}}'
    read -r line; printf '%s\n' "$line" >&2
    say '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}'
    read -r line)";

const words ask_for_user{"test_elicitation", "message=Who are you?"};

words in_era(words call, const char* era)
{
    call.insert(call.end(), {"--era", era});
    return call;
}

void expect_answer(const outcome& run, int code, std::string_view out)
{
    BOOST_TEST(run.code == code);
    BOOST_TEST(run.out == out);
    BOOST_TEST(run.err == "");
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_questions, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(a_form_is_filled_in_on_the_terminal_in_both_eras)
{
    for (const char* const era : {"legacy", "modern"}) {
        terminal_program program(with_fixture(in_era(ask_for_user, era)));
        BOOST_TEST(program.wait_shown("username (text): ") ==
                   "partyline-mcp-fixture asks:\n  Who are you?\n(!decline and !cancel end this without an answer.)\n"
                   "User's response\nusername (text): ");
        program.type("Ada\n");
        program.wait_shown("email (text): ");
        program.type("ada@example.org\n");
        program.wait_shown("Send it?");
        program.type("y\n");
        expect_answer(program.wait_end(), 0,
                      R"(User response: action=accept, content={"username":"Ada","email":"ada@example.org"})"
                      "\n");
    }
}

BOOST_AUTO_TEST_CASE(choices_defaults_and_what_does_not_fit)
{
    for (const char* const era : {"legacy", "modern"}) {
        terminal_program program(with_fixture(in_era({"test_elicitation_sep1034_defaults"}, era)));
        for (const auto& [shown, typed] :
             {std::pair("name (text; Enter: John Doe): ", "\n"), std::pair("age (integer; Enter: 30): ", "old\n"),
              std::pair("age: it is no integer\n", "31\n"), std::pair("score (number; Enter: 95.5): ", "1\n"),
              std::pair("status (1 to 3; Enter: active): ", "2\n"),
              std::pair("verified (yes or no; Enter: true): ", "no\n"), std::pair("Send it?", "yes\n")}) {
            program.wait_shown(shown);
            program.type(typed);
        }
        expect_answer(program.wait_end(), 0,
                      R"(Elicitation completed: action=accept, content={"name":"John Doe","age":31,"score":1,)"
                      R"("status":"inactive","verified":false})"
                      "\n");
    }
}

BOOST_AUTO_TEST_CASE(it_may_be_declined_and_cancelled)
{
    const std::pair<const char*, const char*> rows[] = {
        {"!decline\n", "decline"}, {"!cancel\n", "cancel"}, {"\x04", "cancel"}};
    for (const auto& [typed, action] : rows) {
        terminal_program program(with_fixture(ask_for_user));
        program.wait_shown("username (text): ");
        program.type(typed);
        expect_answer(program.wait_end(), 0, "User response: action=" + std::string(action) + ", content={}\n");
    }
}

BOOST_AUTO_TEST_CASE(a_signal_cancels_the_call_that_asks)
{
    for (const char* const era : {"legacy", "modern"}) {
        terminal_program program(with_fixture(in_era(ask_for_user, era)));
        program.wait_shown("username (text): ");
        program.child().signal(SIGINT);
        program.wait_shown("\n"); // the cursor does not stay behind the question
        expect_answer(program.wait_end(), 130, "");
    }
}

BOOST_AUTO_TEST_CASE(several_questions_are_asked_one_after_the_other)
{
    terminal_program program(with_fixture({"ask_twice"}));
    for (const char* const value : {"one\n", "two\n"}) {
        program.wait_shown("value (text): ");
        program.type(value);
        program.wait_shown("Send it?");
        program.type("y\n");
    }
    expect_answer(program.wait_end(), 0, "First: one, second: two\n");
}

BOOST_AUTO_TEST_CASE(calls_that_ask_at_the_same_time_wait_for_each_other)
{
    const partyline::test::unique_fd calls = partyline::test::make_memory_file();
    partyline::test::write_all(calls.get(), "{\"method\":\"test_input_required_result_elicitation\"}\n"
                                            "{\"method\":\"test_input_required_result_elicitation\"}\n");
    terminal_program program(
        with_fixture({"--calls", "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(calls.get())}));
    for (const char* const name : {"Ada\n", "Eve\n"}) {
        const std::string shown = program.wait_shown("name (text): ");
        BOOST_TEST(partyline::test::count_of(shown, "asks:") == 1, shown);
        program.type(name);
        program.wait_shown("Send it?");
        program.type("y\n");
    }
    const outcome run = program.wait_end();
    BOOST_TEST(run.code == 0);
    BOOST_TEST(contains(run.out, "Hello, Ada!"), run.out);
    BOOST_TEST(contains(run.out, "Hello, Eve!"), run.out);
}

BOOST_AUTO_TEST_CASE(a_page_is_shown_and_agreed_to_and_nothing_else)
{
    const std::pair<const char*, const char*> rows[] = {{"yes\n", "accept"}, {"no\n", "decline"}, {"\x04", "cancel"}};
    for (const auto& [typed, action] : rows) {
        terminal_program program(with_played({"x"}, page_server));
        const std::string shown = program.wait_shown("Do you agree?");
        BOOST_TEST(contains(shown, "played asks you to open a page:\n  Log in\n  https://a.example/?x=1\n"), shown);
        program.type(typed);
        const outcome run = program.wait_end();
        BOOST_TEST(run.code == 0);
        BOOST_TEST(run.out == "done\n");
        BOOST_TEST(contains(run.err, R"("result":{"action":")" + std::string(action) + "\"}}"), run.err);
    }
}

BOOST_AUTO_TEST_CASE(without_a_terminal_the_server_is_told_that_nobody_can_be_asked)
{
    const outcome modern = run_without_terminal(with_fixture(ask_for_user));
    BOOST_TEST(modern.code == 1);
    BOOST_TEST(modern.out == "");
    BOOST_TEST(contains(modern.err, "error -32021: "), modern.err);
    const outcome legacy = run_without_terminal(with_played({"x", "--show-notifications"}, R"(
        read -r line; say '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}'
        read -r line; printf '%s\n' "$line" >&2; say '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}'; read -r line)"));
    BOOST_TEST(contains(legacy.err, "\"error\":{\"code\":-32601"), legacy.err);
}

BOOST_AUTO_TEST_CASE(an_answer_on_the_command_line_is_given_without_asking)
{
    for (const char* const era : {"legacy", "modern"}) {
        words call = in_era(ask_for_user, era);
        call.insert(call.end(), {"--answer", R"({"username":"a","email":"b"})"});
        expect_answer(run_without_terminal(with_fixture(call)), 0,
                      R"(User response: action=accept, content={"username":"a","email":"b"})"
                      "\n");
        call.back() = "decline";
        expect_answer(run_without_terminal(with_fixture(call)), 0, "User response: action=decline, content={}\n");
    }
}

BOOST_AUTO_TEST_CASE(a_page_is_not_agreed_to_by_an_answer_to_forms)
{
    BOOST_TEST(contains(run_without_terminal(with_played({"x", "--answer", "cancel"}, page_server)).err,
                        R"("result":{"action":"cancel"}})"));
    BOOST_TEST(contains(run_without_terminal(with_played({"x", "--answer", "{}"}, page_server)).err,
                        "\"error\":{\"code\":-32602"));
}

BOOST_AUTO_TEST_SUITE_END()
