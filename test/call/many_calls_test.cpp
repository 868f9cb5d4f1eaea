// Calls from a file, batches, repetition.

#include "call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <set>
#include <sstream>

using namespace call::test;
using partyline::test::contains;
using partyline::test::count_of;
using partyline::test::scratch_directory;

namespace {

const std::string mixed = R"({"method":"echo","params":[1.0]}
rubbish

{"method":"delay","params":{"ms":100},"id":"a"}
{"method":"no_such"}
{"method":"add","params":[1,2],"id":7})"; // the last line needs no end

std::set<std::string> lines_of(const std::string& text)
{
    std::set<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.insert(line);
    return lines;
}

const std::set<std::string> replies_to_mixed{
    R"({"jsonrpc":"2.0","id":1,"result":[1.0]})",
    R"({"jsonrpc":"2.0","id":"a","result":null})",
    R"({"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found","data":{"method":"no_such"}}})",
    R"({"jsonrpc":"2.0","id":7,"result":3})",
};

} // namespace

BOOST_AUTO_TEST_SUITE(many_calls, *boost::unit_test::timeout(110))

BOOST_AUTO_TEST_CASE(each_line_of_a_file_is_a_call_and_each_reply_a_line)
{
    const scratch_directory scratch;
    partyline::test::write_file(scratch / "calls", mixed);
    const outcome run = run_call(with_echo({"--calls", (scratch / "calls").string()}));
    BOOST_TEST(run.code == 2); // for the line that is none
    BOOST_TEST(lines_of(run.out) == replies_to_mixed, boost::test_tools::per_element());
    BOOST_TEST(run.out.ends_with("\"id\":\"a\",\"result\":null}\n")); // the slow one came last
    BOOST_TEST(run.err == "partyline-call: line 2: not JSON (at byte 0)\n");
}

BOOST_AUTO_TEST_CASE(a_batch_of_them_is_one_message)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    const outcome run = run_call(with_echo({"--calls", "-", "--batch", "--trace", trace}), mixed);
    BOOST_TEST(run.code == 2);
    BOOST_TEST(lines_of(run.out) == replies_to_mixed, boost::test_tools::per_element());
    const std::string seen = partyline::test::read_file(trace);
    BOOST_TEST(count_of(seen, "\n") - count_of(seen, " element") == 2);
}

BOOST_AUTO_TEST_CASE(an_error_alone_is_exit_code_1_and_an_empty_file_is_0)
{
    const outcome error = run_call(with_echo({"--calls", "-"}), "{\"method\":\"no_such\"}\n{\"method\":\"echo\"}\n");
    BOOST_TEST(error.code == 1);
    BOOST_TEST(error.err == "");
    for (const char* const how : {"--batch", "--show-notifications"}) {
        const outcome nothing = run_call(with_echo({"--calls", "-", how}), "\n\n");
        BOOST_TEST(nothing.code == 0);
        BOOST_TEST(nothing.out == "");
        BOOST_TEST(nothing.err == "");
    }
}

BOOST_AUTO_TEST_CASE(a_line_is_called_as_soon_as_it_comes)
{
    call_program program(with_echo({"--calls", "-"}));
    for (const char* const number : {"1", "2", "3"}) {
        program.send(std::string("{\"method\":\"echo\",\"params\":[") + number + "]}\n");
        BOOST_TEST(program.output().read_line().value_or("") ==
                   std::string(R"({"jsonrpc":"2.0","id":)") + number + R"(,"result":[)" + number + "]}");
    }
    program.close_input();
    BOOST_TEST(program.child().wait_exit() == 0);
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_costs_the_others_nothing)
{
    const std::string lines = "{\"method\":\"" + std::string(300'000, 'x') + "\"}\n{\"method\":\"echo\"}\n";
    const outcome run = run_call(with_echo({"--calls", "-", "--max-message-bytes", "1000"}), lines);
    BOOST_TEST(run.code == 2);
    BOOST_TEST(run.out == "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":null}\n");
    BOOST_TEST(run.err == "partyline-call: line 1: longer than 1000 bytes\n");
}

BOOST_AUTO_TEST_CASE(a_thousand_calls_get_a_thousand_replies)
{
    std::string calls;
    std::set<std::string> expected;
    for (int i = 1; i <= 1000; ++i) {
        const std::string number = std::to_string(i);
        calls += R"({"method":"echo","params":[)" + number + R"(],"id":"call )" + number + "\"}\n";
        expected.insert(R"({"jsonrpc":"2.0","id":"call )" + number + R"(","result":[)" + number + "]}");
    }
    for (const char* const concurrency : {"1", "64", "5000"}) {
        const outcome run = run_call(with_echo({"--calls", "-", "--concurrency", concurrency}), calls);
        BOOST_TEST(run.code == 0);
        BOOST_TEST(count_of(run.out, "\n") == 1000);
        BOOST_TEST((lines_of(run.out) == expected), concurrency);
        BOOST_TEST(run.err == "");
    }
    const outcome batch = run_call(with_echo({"--calls", "-", "--batch"}), calls);
    BOOST_TEST(batch.code == 0);
    BOOST_TEST((lines_of(batch.out) == expected));
}

BOOST_AUTO_TEST_CASE(no_more_calls_are_out_than_are_wanted)
{
    std::string calls;
    for (const char* const ms : {"150", "100", "50", "0"})
        calls += std::string(R"({"method":"delay","params":{"ms":)") + ms + R"(,"value":)" + ms + "}}\n";
    const auto order = [&](const words& options) {
        words all{"--calls", "-"};
        all.insert(all.end(), options.begin(), options.end());
        std::string values;
        std::istringstream replies(run_call(with_echo(all), calls).out);
        for (std::string line; std::getline(replies, line);)
            values += std::to_string(boost::json::parse(line).at("result").as_int64()) + " ";
        return values;
    };
    BOOST_TEST(order({"--concurrency", "1"}) == "150 100 50 0 ");
    BOOST_TEST(order({}) == "0 50 100 150 ");
}

BOOST_AUTO_TEST_CASE(a_batch_that_is_too_large_is_told)
{
    const outcome run = run_call(with_echo({"--calls", "-", "--batch", "--max-batch", "2"}),
                                 "{\"method\":\"echo\"}\n{\"method\":\"echo\"}\n{\"method\":\"echo\"}\n");
    BOOST_TEST(run.code == 3);
    BOOST_TEST(run.out == "");
    BOOST_TEST(contains(run.err, "larger than the limits allow"), run.err);
}

BOOST_AUTO_TEST_CASE(repetition_is_summed_up)
{
    const outcome run = run_call(with_echo({"echo", "[1]", "--repeat", "500", "--concurrency", "8"}));
    BOOST_TEST(run.code == 0);
    BOOST_TEST(run.out == "");
    BOOST_TEST(run.err.starts_with("500 calls in "), run.err);
    BOOST_TEST(contains(run.err, " calls/s, 0 errors\nlatency: min "), run.err);
    for (const char* const name : {", p50 ", ", p90 ", ", p99 ", ", max "})
        BOOST_TEST(contains(run.err, name), run.err);
}

BOOST_AUTO_TEST_CASE(of_what_goes_wrong_in_repetition_the_first_is_told)
{
    const outcome errors = run_call(with_echo({"no_such", "--repeat", "5"}));
    BOOST_TEST(errors.code == 1);
    BOOST_TEST(errors.err.starts_with("error -32601: Method not found: \"no_such\"\n5 calls in "), errors.err);
    BOOST_TEST(contains(errors.err, ", 5 errors\n"), errors.err);

    const outcome late =
        run_call(with_echo({"delay", "ms=60000", "--repeat", "5", "--concurrency", "5", "--timeout", "100ms"}));
    BOOST_TEST(late.code == 3);
    BOOST_TEST(count_of(late.err, "no reply within the time") == 1, late.err);
    BOOST_TEST(late.err.ends_with(", 0 errors, 5 failed\n"), late.err);
}

BOOST_AUTO_TEST_SUITE_END()
