#include "support/scratch_directory.hpp"
#include "support/server_process.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace partyline::test;

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path)
{
    std::vector<std::string> lines;
    std::istringstream stream(read_file(path));
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// Sends each message, reads `reply_count` lines and returns what was traced.
std::vector<std::string> trace_of(const std::vector<std::string>& messages, int reply_count)
{
    scratch_directory scratch;
    echo_server s({"--trace", (scratch / "trace").string(), "--max-message-bytes", "1000"});
    for (const std::string& message : messages)
        s.send(message);
    for (int i = 0; i < reply_count; ++i)
        s.read_line();
    s.close_input();
    s.expect_end(0);
    return lines_of(scratch / "trace");
}

} // namespace

BOOST_AUTO_TEST_SUITE(trace, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(every_message_in_and_out_is_one_line)
{
    const std::string request = R"({"jsonrpc":"2.0","id":"seven","method":"echo","params":[1]})";
    const std::string note = R"({"jsonrpc":"2.0","method":"log","params":{"message":"m"}})";
    const std::vector<std::string> lines = trace_of({request, note, "rubbish"}, 2);
    BOOST_REQUIRE(lines.size() == 5u);
    std::vector<std::string> in;
    std::vector<std::string> out;
    for (const std::string& line : lines)
        (contains(line, " in ") ? in : out).push_back(line);
    BOOST_REQUIRE(in.size() == 3u);
    BOOST_REQUIRE(out.size() == 2u);
    BOOST_TEST(in[0].ends_with(request));
    BOOST_TEST(contains(in[0], "\"seven\" method=echo"), in[0]);
    BOOST_TEST(in[1].ends_with(note));
    BOOST_TEST(contains(in[1], "method=log"), in[1]);
    BOOST_TEST(in[2].ends_with("rubbish"));
    BOOST_TEST(out[0].ends_with(R"({"jsonrpc":"2.0","id":"seven","result":[1]})"), out[0]);
    BOOST_TEST(contains(out[0], " out id=\"seven\" method=echo latency="), out[0]);
    BOOST_TEST(contains(out[1], "-32700"), out[1]);
}

BOOST_AUTO_TEST_CASE(a_latency_is_the_time_that_the_request_took)
{
    const std::vector<std::string> lines =
        trace_of({R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":50}})"}, 1);
    BOOST_REQUIRE(lines.size() == 2u);
    const std::size_t at = lines[1].find("latency=");
    BOOST_REQUIRE(at != std::string::npos);
    const double seconds = std::stod(lines[1].substr(at + 8));
    BOOST_TEST(seconds >= 0.05);
    BOOST_TEST(seconds < 10);
}

BOOST_AUTO_TEST_CASE(progress_is_traced_under_its_request)
{
    const std::vector<std::string> lines =
        trace_of({R"({"jsonrpc":"2.0","id":1,"method":"count","params":{"to":2}})"}, 3);
    BOOST_REQUIRE(lines.size() == 4u);
    for (int i : {1, 2})
        BOOST_TEST(contains(lines[i], " out id=1 method=$/progress "), lines[i]);
    BOOST_TEST(contains(lines[3], " out id=1 method=count latency="), lines[3]);
}

BOOST_AUTO_TEST_CASE(a_batch_is_traced_as_it_is_and_element_by_element)
{
    const std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","id":2,"method":"echo"}])";
    const std::vector<std::string> lines = trace_of({batch}, 1);
    BOOST_REQUIRE(lines.size() == 6u);
    BOOST_TEST(lines[0].ends_with(batch));
    BOOST_TEST(lines[1].ends_with(" in  element id=1 method=echo"), lines[1]);
    BOOST_TEST(contains(lines[2], " out element id=1 method=echo latency="), lines[2]);
    BOOST_TEST(lines[3].ends_with(" in  element id=2 method=echo"), lines[3]);
    BOOST_TEST(contains(lines[4], " out element id=2 method=echo latency="), lines[4]);
    BOOST_TEST(contains(lines[5], " out [{"), lines[5]);
}

BOOST_AUTO_TEST_CASE(a_hyphen_is_standard_error)
{
    echo_server s({"--trace", "-"});
    s.send_request("echo", "[1]");
    s.expect_result("[1]");
    s.close_input();
    s.expect_end(0);
    BOOST_TEST(contains(s.errors(), " in  id=1 method=echo "), s.errors());
    BOOST_TEST(contains(s.errors(), " out id=1 method=echo latency="), s.errors());
}

BOOST_AUTO_TEST_CASE(what_a_peer_sends_cannot_break_the_lines)
{
    const std::vector<std::string> lines = trace_of({R"({"jsonrpc":"2.0","id":1,"method":"two\nlines\u0000"})", "{\r}",
                                                     R"({"x":")" + std::string(2000, 'x') + "\"}"},
                                                    3);
    BOOST_TEST(lines.size() == 6u);
    for (const std::string& line : lines)
        BOOST_TEST((contains(line, " in ") || contains(line, " out ")), line);
    BOOST_TEST(contains(lines[0], R"( method=two\u000alines\u0000 )"), lines[0]);
}

// rule: security.text.escaped
BOOST_AUTO_TEST_CASE(nor_command_the_terminal_of_who_looks_at_them)
{
    const std::vector<std::string> lines = trace_of(
        {"{\"jsonrpc\":\"2.0\",\"id\":\"\u2028\",\"method\":\"\u009b\u202e\",\"params\":[\"\x7f\"]}", "\xff"}, 2);
    BOOST_REQUIRE(lines.size() == 4u);
    BOOST_TEST(lines[0].ends_with(R"( in  id="\u2028" method=\u009b\u202e )"
                                  R"({"jsonrpc":"2.0","id":"\u2028","method":"\u009b\u202e","params":["\u007f"]})"),
               lines[0]);
    BOOST_TEST(contains(lines[1] + lines[2] + lines[3], " in  \ufffd"));
}

BOOST_AUTO_TEST_SUITE_END()
