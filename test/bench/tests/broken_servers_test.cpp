// The program against servers that break: each is told in words, with exit code 1, and in time.

#include "bench_program.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using bench::test::outcome;
using bench::test::run_bench;
using partyline::test::contains;

namespace {

constexpr const char* good_replies = "100"; // before it breaks

outcome run_with(const std::string& server, std::vector<std::string> options = {})
{
    options.insert(options.begin(), {"--server", server, "--workload", "echo", "--quick", "--rounds", "1", "--timeout",
                                     "2", "--peers", "none"});
    return run_bench(options);
}

std::string broken(const std::string& how, const std::string& after = good_replies)
{
    return std::string("'") + PARTYLINE_BROKEN_SERVER + "' " + how + " " + after;
}

void check_failure(const std::string& how, const std::string& words, const std::string& after = good_replies)
{
    BOOST_TEST_CONTEXT(how << " after " << after)
    {
        const auto begin = std::chrono::steady_clock::now();
        const outcome run = run_with(broken(how, after));
        BOOST_TEST_INFO(run.err);
        BOOST_TEST(run.code == 1);
        BOOST_TEST(run.out == "");
        BOOST_TEST_INFO(run.err);
        BOOST_TEST(contains(run.err, "partyline-bench: workload echo, '"));
        BOOST_TEST_INFO(run.err);
        BOOST_TEST(contains(run.err, words));
        BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(15)));
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(broken_servers, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(the_one_they_are_made_from_is_right)
{
    const outcome run = run_with(broken("right"));
    BOOST_TEST(run.code == 0, run.err);
    BOOST_TEST(contains(run.out, "\"title\":\"Echo of 16 bytes"));
}

BOOST_AUTO_TEST_CASE(one_that_dies_is_told_with_its_last_words)
{
    check_failure("exit", "ended with exit code 3 with 9,901 of 10,000 replies missing\n"
                          "The end of its standard error:\nout of ideas\n");
    check_failure("exit", "ended with exit code 3 with 1 of 1 replies missing", "0");
    check_failure("abort", "ended with signal 9 with 9,901 of 10,000 replies missing");
}

BOOST_AUTO_TEST_CASE(one_that_is_silent_is_told_and_killed)
{
    check_failure("hang", "no byte for 2 s with 9,901 of 10,000 replies missing; the server is killed");
    check_failure("hang", "no byte for 2 s with 1 of 1 replies missing; the server is killed", "0");
    check_failure("lose", "no byte for 2 s with 1 of 10,000 replies missing; the server is killed");
}

BOOST_AUTO_TEST_CASE(wrong_answers_are_named)
{
    check_failure("twice", " was answered twice");
    check_failure("wrong", " was answered wrongly: '{\"text\":\"something else\"}', expected '{\"text\":\"");
    check_failure("error", " was answered with an error: '{\"code\":-1,\"message\":\"no\"}'");
    check_failure("wrong-id", "answered request 999999999, which nobody has sent");
    check_failure("no-id", "sent a reply without the id of a request");
    check_failure("no-version", "said something that is no reply: '{\"id\":");
    check_failure("wrong", " was answered wrongly", "0");
}

// It takes the first of each batch for all.
BOOST_AUTO_TEST_CASE(requests_that_a_batch_leaves_out_are_named)
{
    const outcome run = run_bench({"--server", broken("right"), "--workload", "batch", "--quick", "--peers", "none"});
    BOOST_TEST(run.code == 1);
    BOOST_TEST(contains(run.err, " was not answered"), run.err);
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_is_shown)
{
    check_failure("rubbish", "said something that is not JSON: 'Segmentation fault (core dumped)'");
    check_failure("cut", "said something that is not JSON: '{\"jsonrpc\"");
    check_failure("no-object", "said something that is no reply: '[1,2,3]'");
    check_failure("talk", "bytes, far more than it was asked with 9,901 of 10,000 replies missing");
}

BOOST_AUTO_TEST_CASE(a_wire_that_is_closed_is_told)
{
    check_failure("close-output", "has closed its output with 9,901 of 10,000 replies missing; the server is killed");
    check_failure("close-input",
                  "does not read its input any more with 9,901 of 10,000 replies missing; the server is killed");
}

BOOST_AUTO_TEST_CASE(the_end_has_to_be_right_too)
{
    check_failure("last-word", "has said more than it was asked: 'good bye'");
    check_failure("half-word", "has said more than it was asked: 'good'");
    check_failure("stay", "no byte for 2 s after the end of its input; the server is killed");
    check_failure("bad-end", "ended with exit code 5 after the end of its input, expected exit code 0");
}

BOOST_AUTO_TEST_CASE(one_that_does_not_exist_is_told)
{
    const outcome run = run_with("/no/such/server");
    BOOST_TEST(run.code == 1);
    BOOST_TEST(contains(run.err, "/no/such/server: cannot be started: exit code 127\nThe end of its standard error:\n"),
               run.err);
}

BOOST_AUTO_TEST_CASE(a_flood_on_standard_error_holds_nobody_up)
{
    const outcome run = run_with(broken("flood"));
    BOOST_TEST(run.code == 0, run.err);
}

BOOST_AUTO_TEST_CASE(headers_that_are_none_are_told)
{
    const outcome run = run_with(broken("right"), {"--framing", "content-length"});
    BOOST_TEST(run.code == 1);
    BOOST_TEST(contains(run.err, "workload echo"), run.err);
}

BOOST_AUTO_TEST_SUITE_END()
