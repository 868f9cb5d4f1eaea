#include "framing_support.hpp"

#include <partyline/protocol/framing.hpp>

#include <boost/test/unit_test.hpp>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace partyline;
using texts = std::vector<std::string>;

namespace {

std::string with_header(std::string_view body)
{
    return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

texts framed(std::string_view stream, std::size_t piece, const limits& bounds = {})
{
    return test::framed<content_length_framing>(stream, piece, bounds);
}

struct row {
    std::string stream;
    texts messages;
};

// However it is cut.
void check(const std::vector<row>& rows, const limits& bounds = {})
{
    for (const row& r : rows) {
        for (std::size_t piece = 1; piece <= r.stream.size() + 1; ++piece) {
            BOOST_TEST_CONTEXT("pieces of " << piece << ": " << r.stream)
            BOOST_TEST(framed(r.stream, piece, bounds) == r.messages, boost::test_tools::per_element());
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(content_length)

BOOST_AUTO_TEST_CASE(messages_come_out_however_the_stream_is_cut)
{
    check({
        {"", {}},
        {"Content-Length: 2\r\n\r\n{}", {"{}"}},
        {"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]Content-Length: 1\r\n\r\n7", {"{}", "[1]", "7"}},
        {"content-length:2\r\n\r\n{}", {"{}"}},
        {"CONTENT-LENGTH: \t 2 \t\r\n\r\n{}", {"{}"}},
        {"Content-Length: 002\r\n\r\n{}", {"{}"}},
        {"X-Other: a:b\r\nContent-Length: 2\r\nX-Empty:\r\n\r\n{}", {"{}"}},
        {"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}", {"{}"}},
        {"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n{}", {"{}"}},
        {"Content-Length: 2\r\nContent-Type: x/y;a=b ; Charset = \"UTF-8\";c\r\n\r\n{}", {"{}"}},
        {"Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}", {"{}"}},
        {"Content-Length: 8\r\n\r\n\"\xC3\xA4\xE2\x82\xAC\n\"", {"\"\xC3\xA4\xE2\x82\xAC\n\""}},
        {"Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}", {"", "{}"}},
        {"Content-Length: 4\r\n\r\n\r\n\r\n", {"\r\n\r\n"}},
    });
}

BOOST_AUTO_TEST_CASE(another_charset_costs_its_message_alone)
{
    const std::string problem = "problem: Content-Type names another charset than utf-8";
    check({
        {"Content-Length: 4\r\nContent-Type: x/y; charset=utf-16\r\n\r\n" + std::string("{\0}\0", 4) +
             "Content-Length: 2\r\n\r\n{}",
         {problem, "{}"}},
        {"Content-Type: x/y; charset\r\nContent-Length: 2\r\n\r\n[]Content-Length: 2\r\n\r\n{}", {problem, "{}"}},
        {"Content-Type: x/y; charset=utf-8; charset=latin1\r\nContent-Length: 2\r\n\r\n[]", {"[]"}},
        {"Content-Type: x/y; charset=latin1\r\nContent-Length: 3\r\n\r\n\xE4\xE4\xE4"
         "Content-Length: 2\r\n\r\n{}",
         {problem, "{}"}},
    });
}

BOOST_AUTO_TEST_CASE(a_header_that_leaves_the_length_in_doubt_is_the_end)
{
    const std::string no_colon =
        "broken: a header line has no colon; expected Content-Length: and the message's length in bytes";
    const std::string no_number = "broken: Content-Length is no number of bytes; expected decimal digits alone";
    const std::string no_length = "broken: a header has no Content-Length";
    const std::string twice = "broken: Content-Length came twice in one header";
    const std::string too_long = "broken: Content-Length is over 1 GiB, more than can be discarded";
    const std::string bare = "broken: a header line ends with LF alone; expected CR LF";
    const std::string no_name =
        "broken: a header line begins with no name; expected Content-Length: and the message's length in bytes";
    const std::string behind = "Content-Length: 2\r\n\r\n{}";
    check({
        {"{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\r\n" + behind, {no_name}},
        {"Content-Length 2\r\n\r\n{}" + behind, {no_colon}},
        {"\r\n" + behind, {no_length}},
        {"X: 1\r\n\r\n{}" + behind, {no_length}},
        {"Content-Length: -2\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: +2\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: 0x2\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: 2.0\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: 2 2\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: two\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length:\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: 2,2\r\n\r\n{}" + behind, {no_number}},
        {"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + behind, {twice}},
        {"Content-Length: 2\r\ncontent-length: 3\r\n\r\n{}" + behind, {twice}},
        {"Content-Length: 1073741825\r\n\r\n{}" + behind, {too_long}},
        {"Content-Length: 99999999999999999999999999\r\n\r\n{}" + behind, {too_long}},
        {"Content-Length: 2\n\n{}" + behind, {bare}},
        {"Content-Length: 2\r\n\n{}" + behind, {bare}},
        {": 2\r\n\r\n{}" + behind, {no_name}},
        {"Content-Length : 2\r\n\r\n{}" + behind, {no_name}},
        {"\xEF\xBB\xBF" + behind, {no_name}},
        // What counts characters: the next header begins in the middle of the message.
        {"Content-Length: 4\r\n\r\n\"\xC3\xA4\xC3\xA4\"" + behind, {"\"\xC3\xA4\xC3", no_name}},
        {behind + "\n" + behind, {"{}", no_length}},
    });
}

BOOST_AUTO_TEST_CASE(the_end_of_input_is_right_between_messages_alone)
{
    const std::string in_header = "broken: input has ended within a header";
    const std::string in_message = "broken: input has ended within a message";
    const std::string whole = "Content-Length: 2\r\n\r\n{}";
    for (std::size_t size = 1; size < whole.size(); ++size) {
        const texts expected{"{}", size < whole.size() - 2 ? in_header : in_message};
        BOOST_TEST(framed(whole + whole.substr(0, size), 1) == expected, boost::test_tools::per_element());
        BOOST_TEST(framed(whole + whole.substr(0, size), 100) == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(what_is_over_the_limit_is_discarded_and_named)
{
    limits bounds;
    bounds.message_bytes = 10;
    check(
        {
            {with_header("1234567890") + with_header("2"), {"1234567890", "2"}},
            {with_header("12345678901") + with_header("2"), {"oversize 11 ", "2"}},
            {with_header(R"({"x":[1],"id":"a"})") + with_header("2"), {"oversize 18 \"a\"", "2"}},
            {with_header(R"({"id":17,"result":[]})"), {"oversize 21 17 response"}},
            {with_header("12345678901").substr(0, 29), {"broken: input has ended within a message"}},
        },
        bounds);
}

BOOST_AUTO_TEST_CASE(a_header_has_a_limit)
{
    limits bounds;
    bounds.header_bytes = 40;
    const std::string too_long = "broken: a header is longer than the limit allows";
    const std::string fits = "Content-Length: 2\r\nX: 45678901234567\r\n\r\n{}";
    BOOST_REQUIRE(fits.find("{}") == 40u);
    check(
        {
            {fits + fits, {"{}", "{}"}},
            {"Content-Length: 2\r\nX: 456789012345678\r\n\r\n{}", {too_long}},
            {std::string(41, 'x'), {too_long}},
            {"a:\r\na:\r\na:\r\na:\r\na:\r\na:\r\na:\r\na:\r\na:\r\na:\r\na:\r\n", {too_long}},
        },
        bounds);
}

BOOST_AUTO_TEST_CASE(nothing_is_taken_on_the_word_of_a_header)
{
    limits bounds;
    bounds.message_bytes = std::size_t(1) << 29;
    content_length_framing headers(bounds);
    test::framing_driver driver(headers);
    driver.feed("Content-Length: 500000000\r\n\r\n");
    BOOST_TEST(headers.prepare().size() <= 65'536u);
    driver.feed(std::string(1'000'000, 'x'));
    BOOST_TEST(headers.prepare().size() <= 2'000'000u);
}

BOOST_AUTO_TEST_CASE(a_discarded_message_takes_no_memory)
{
    limits bounds;
    bounds.message_bytes = 1000;
    content_length_framing headers(bounds);
    test::framing_driver driver(headers);
    driver.feed("Content-Length: 1000000\r\n\r\n");
    for (int i = 0; i < 1000; ++i) {
        driver.feed(std::string(1000, 'x'));
        BOOST_TEST_REQUIRE(headers.prepare().size() <= 70'000u);
    }
    BOOST_TEST(driver.messages() == texts{"oversize 1000000 "}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(long_messages_grow_with_what_comes)
{
    const std::string body(3'000'000, 'x');
    for (const std::size_t piece : {1'000u, 65'536u, 100'000u, 4'000'000u})
        BOOST_TEST((framed(with_header(body) + with_header("2") + with_header(body), piece) == texts{body, "2", body}));
}

BOOST_AUTO_TEST_CASE(what_is_sent_can_be_read)
{
    content_length_framing headers{limits()};
    byte_buffer out;
    texts sent;
    for (const std::size_t size : {0u, 1u, 9u, 10u, 99u, 100u, 12'345u}) {
        sent.emplace_back(size, 'x');
        headers.begin_message(out);
        out.append(sent.back());
        headers.end_message(out);
    }
    BOOST_TEST(out.view().starts_with("Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\nx"));
    BOOST_TEST(framed(out.view(), 7) == sent, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
