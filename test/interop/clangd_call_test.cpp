// partyline-call and clangd: the handshake with a language server of which nothing is ours.

#include "call/call_program.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace call::test;
using partyline::test::count_of;
using partyline::test::scratch_directory;

namespace {

outcome run(words ours, std::string_view input = {})
{
    const scratch_directory home; // it looks for its settings there
    ours.insert(ours.begin(), {"--profile", "lsp", "--env", "HOME=" + (home / "").string()});
    ours.insert(ours.end(), {"--", "clangd-19", "--log=error"});
    return run_call(ours, input);
}

} // namespace

BOOST_AUTO_TEST_SUITE(clangd_call, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_result_is_printed)
{
    const outcome end = run({"workspace/symbol", "query=no_such_symbol"});
    BOOST_TEST(end.code == 0, end.err);
    BOOST_TEST(end.out == "[]\n");
    BOOST_TEST(end.err == "");
}

BOOST_AUTO_TEST_CASE(an_error_is_told_with_the_name_of_the_method)
{
    const outcome end = run({"frobnicate"});
    BOOST_TEST(end.code == 1);
    BOOST_TEST(end.err == "error -32601: method not found: \"frobnicate\"\n");
}

BOOST_AUTO_TEST_CASE(many_calls_and_repetition_have_one_handshake)
{
    const scratch_directory scratch;
    const std::string trace = (scratch / "trace").string();
    std::string calls;
    for (int i = 0; i < 100; ++i)
        calls += "{\"method\":\"workspace/symbol\",\"params\":{\"query\":\"x\"}}\n";
    const outcome many = run({"--calls", "-", "--trace", trace}, calls);
    BOOST_TEST(many.code == 0, many.err);
    BOOST_TEST(count_of(many.out, "\"result\":[]}\n") == 100);
    const std::string seen = partyline::test::read_file(trace);
    for (const char* const method : {"initialize ", "shutdown "})
        BOOST_TEST(count_of(seen, std::string(" method=") + method) == 2, method); // the call and its reply
    for (const char* const method : {"initialized ", "exit "})
        BOOST_TEST(count_of(seen, std::string(" method=") + method) == 1, method);

    const outcome repeated = run({"workspace/symbol", "query=x", "--repeat", "50", "--concurrency", "5"});
    BOOST_TEST(repeated.code == 0, repeated.err);
    BOOST_TEST(repeated.err.starts_with("50 calls in "), repeated.err);
}

BOOST_AUTO_TEST_CASE(a_notification_is_sent_between_them)
{
    const outcome end = run({"textDocument/didClose", R"({"textDocument":{"uri":"file:///nowhere.cpp"}})", "--notify"});
    BOOST_TEST(end.code == 0, end.err);
    BOOST_TEST(end.out == "");
}

BOOST_AUTO_TEST_SUITE_END()
