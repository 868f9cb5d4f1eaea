// partyline-call and a server written with vscode-jsonrpc.

#include "call/call_program.hpp"
#include "packages.hpp"
#include "support/foreign_client.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace call::test;
using partyline::test::count_of;

namespace {

outcome run_node(words ours, std::string_view input = {})
{
    ours.insert(ours.begin(), {"--framing", "content-length"});
    const std::string server = partyline::test::program_here("vscode_server.mjs");
    ours.insert(ours.end(), {"--", "node", server, PARTYLINE_INTEROP_PACKAGES});
    return run_call(ours, input);
}

} // namespace

BOOST_AUTO_TEST_SUITE(vscode_call, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_result_is_printed)
{
    const outcome end = run_node({"add", "[2,40]"});
    BOOST_TEST(end.code == 0, end.err);
    BOOST_TEST(end.out == "42\n");
}

BOOST_AUTO_TEST_CASE(an_error_is_told)
{
    const outcome end = run_node({"fail", R"({"code":-7,"message":"tired"})"});
    BOOST_TEST(end.code == 1);
    BOOST_TEST(end.err == "error -7: tired\n");
}

BOOST_AUTO_TEST_CASE(many_calls_at_once_are_answered)
{
    std::string calls;
    for (int i = 0; i < 500; ++i)
        calls += R"({"method":"add","params":[1,)" + std::to_string(i) + "]}\n";
    const outcome end = run_node({"--calls", "-"}, calls);
    BOOST_TEST(end.code == 0, end.err);
    for (int i = 0; i < 500; ++i) {
        const std::string line = R"("id":)" + std::to_string(i + 1) + R"(,"result":)" + std::to_string(i + 1) + "}\n";
        BOOST_TEST(count_of(end.out, line) == 1, "expected " << line << "got " << end.out);
    }
}

BOOST_AUTO_TEST_SUITE_END()
