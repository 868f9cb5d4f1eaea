#include "http/wire/characters.hpp"
#include "read_body.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

using namespace std::literals;
using namespace partyline::test;
using partyline::http::body_kind;
using partyline::http::body_reader;
using partyline::http::is_in;

namespace {

using body_state = body_reader::state;

const std::string behind = "GET / HTTP/1.1\r\n";

} // namespace

BOOST_AUTO_TEST_SUITE(http_body_reader, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(without_a_length_or_chunks_there_is_no_body)
{
    BOOST_TEST(read_body_cut(head_of(body_kind::none), behind) == done_body("", 0));
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 0), behind) == done_body("", 0));
}

BOOST_AUTO_TEST_CASE(a_told_length_is_read_to_its_last_byte_and_no_further)
{
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 5), "ab\r\ncd") == done_body("ab\r\nc", 5));
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 5), "abcd") == (body_outcome{body_state::more, 0, "abcd", 4}));
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 3), "\0\r\n"s + behind) == done_body("\0\r\n"s, 3));
}

BOOST_AUTO_TEST_CASE(a_length_over_the_limit_is_refused_before_a_byte_has_come)
{
    body_reader reader(5);
    reader.start(head_of(body_kind::length, 6));
    BOOST_TEST((reader.current() == body_state::refused));
    BOOST_TEST(reader.why().status == 413);
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 6), "abcdef", 5) == refused_body(413, "", 0));
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 5), "abcdef", 5) == done_body("abcde", 5));
    BOOST_TEST(read_body_cut(head_of(body_kind::length, 1), "a", 0) == refused_body(413, "", 0));
    BOOST_TEST(read_body_cut(head_of(body_kind::length, ~std::uint64_t(0)), "a") == refused_body(413, "", 0));
}

BOOST_AUTO_TEST_CASE(what_goes_on_to_the_end_of_the_connection_is_done_there_and_not_before)
{
    BOOST_TEST(read_body_cut(head_of(body_kind::to_end), "ab\r\n") == (body_outcome{body_state::more, 0, "ab\r\n", 4}));
    BOOST_TEST(read_body_cut(head_of(body_kind::to_end), "abc", 3) == (body_outcome{body_state::more, 0, "abc", 3}));
    body_reader reader(3);
    reader.start(body_kind::to_end, 0);
    std::size_t used = 0;
    std::string body;
    BOOST_TEST((reader.read("ab", used, body) == body_state::more));
    BOOST_TEST((reader.read("cd", used, body) == body_state::refused)); // over the limit
    BOOST_TEST(reader.why().status == 413);
    BOOST_TEST((reader.finish() == body_state::refused));
    reader.start(body_kind::to_end, 0);
    BOOST_TEST((reader.read("ab", used, body) == body_state::more));
    BOOST_TEST((reader.finish() == body_state::done));
    reader.start(body_kind::length, 2);
    BOOST_TEST((reader.finish() == body_state::more)); // cut off
    reader.start(body_kind::chunked, 0);
    BOOST_TEST((reader.finish() == body_state::more));
}

BOOST_AUTO_TEST_CASE(chunks_are_put_together)
{
    const std::pair<std::string, std::string> rows[] = {
        {"0\r\n\r\n", ""},
        {"1\r\na\r\n0\r\n\r\n", "a"},
        {"1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n", "abcdef"},
        {"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"},
        {"10\r\n0123456789abcdef\r\n0\r\n\r\n", "0123456789abcdef"},
        {"0000000000000002\r\n\r\n\r\n00\r\n\r\n", "\r\n"},
        {"5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"}, // looks like the end
        {"3\r\n\0\xff\n\r\n0\r\n\r\n"s, "\0\xff\n"s},
        {"1;a\r\nx\r\n0;b\r\n\r\n", "x"},
        {"1;a=b\r\nx\r\n0\r\n\r\n", "x"},
        {"1;a=\"\"\r\nx\r\n0\r\n\r\n", "x"},
        {"1;a=\";\t,\xc3\xa4=\";b;c=d;e=\"f\"\r\nx\r\n0\r\n\r\n", "x"},
        {"0\r\nX: y\r\n\r\n", ""},
        {"0\r\nX:\r\nY: \t:\xff \r\nX: z\r\n\r\n", ""},
        {"1\r\nx\r\n0\r\nX-Host: a\r\nHos: b\r\nHosts: c\r\nContent-Type: d\r\n\r\n", "x"},
    };
    for (const auto& [chunks, body] : rows) {
        BOOST_TEST_CONTEXT(chunks)
        {
            BOOST_TEST(read_chunks(chunks + behind) == done_body(body, chunks.size()));
            BOOST_TEST((read_chunks(chunks.substr(0, chunks.size() - 1)).how == body_state::more));
        }
    }
}

// Each row ends with the byte that is refused: before it there is nothing wrong, and behind it nothing is read.
BOOST_AUTO_TEST_CASE(what_is_malformed_is_refused_at_the_byte_that_makes_it_so)
{
    // clang-format off
    const std::string rows[] = {
        "\r", "\n", ";", " ", "-", "+", "g", "x", "0x", "0X", "1_", "1,", "1.", "1 ", "1\t", "1\n", "1\rx", "1\r\r",
        "1h", "1;\r", "1;;", "1;=", "1; ", "1;\"", "1;a ", "1;a\n", "1;a\rx", "1;a=\r", "1;a=;", "1;a==", "1;a= ",
        "1;a=b=", "1;a=b ", "1;a=b\"", "1;a=\"\\", "1;a=\"\r", "1;a=\"\n", "1;a=\"b\"c", "1;a=\"b\"\"", "1;a=\"b\"=",
        "1;a=\"b\" ", "1;a=\"b\"\rx", "1;a\0"s, "1\r\nab", "1\r\na\n", "1\r\na\rb", "1\r\na\r\r", "1\r\na0",
        "2\r\na\r\n", "1\r\na\r\n\r", "1\r\na\r\n\n", "1\r\na\r\ng", "0\n", "0\r\n\n", "0\r\n\rx", "0\r\n\r\r",
        "0\r\n:", "0\r\n ", "0\r\n\t", "0\r\nX\r", "0\r\nX\n", "0\r\nX ", "0\r\nX\t", "0\r\nX\0"s, "0\r\nX:\n",
        "0\r\nX: \0"s, "0\r\nX: y\n", "0\r\nX:\rx", "0\r\nX:\r\r", "0\r\nX: \x7f", "0\r\nX:\r\n ", "0\r\nX:\r\n:",
        "00\r\n\xc3", "0;a\r\nX:\x0b"
    };
    // clang-format on
    for (const std::string& row : rows) {
        BOOST_TEST_CONTEXT(row)
        {
            BOOST_TEST((read_chunks(row.substr(0, row.size() - 1)).how == body_state::more));
            const body_outcome refused = read_chunks(row + behind);
            BOOST_TEST((refused.how == body_state::refused));
            BOOST_TEST(refused.status == 400);
            BOOST_TEST(refused.used == row.size());
        }
    }
}

BOOST_AUTO_TEST_CASE(every_byte_is_taken_or_refused_where_it_stands)
{
    using is_right = std::function<bool(char)>;
    const is_right token = [](char c) { return is_in(c, partyline::http::is_token_char); };
    const is_right value = [](char c) { return is_in(c, partyline::http::is_value_char); };
    const auto one_of = [](std::string_view all) -> is_right {
        return [all](char c) { return all.find(c) != all.npos; };
    };
    const auto either = [](is_right a, is_right b) -> is_right { return [a, b](char c) { return a(c) || b(c); }; };
    constexpr std::string_view digits = "0123456789abcdefABCDEF";
    const std::pair<std::string, is_right> places[] = {
        {"", one_of(digits)},
        {"1", either(one_of(digits), one_of("\r;"))},
        {"1\r", one_of("\n")},
        {"1\r\n", [](char) { return true; }},
        {"1\r\na", one_of("\r")},
        {"1\r\na\r", one_of("\n")},
        {"1\r\na\r\n", one_of(digits)},
        {"1;", token},
        {"1;a", either(token, one_of("\r;="))},
        {"1;a=", either(token, one_of("\""))},
        {"1;a=b", either(token, one_of("\r;"))},
        {"1;a=\"", [value](char c) { return value(c) && c != '\\'; }},
        {"1;a=\"\"", one_of("\r;")},
        {"0\r\n", either(token, one_of("\r"))},
        {"0\r\nX", either(token, one_of(":"))},
        {"0\r\nX:", either(value, one_of("\r"))},
        {"0\r\nX:\r", one_of("\n")},
        {"0\r\nX:\r\n", either(token, one_of("\r"))},
        {"0\r\n\r", one_of("\n")},
    };
    for (const auto& [before, is_taken] : places) {
        for (int c = 0; c < 256; ++c) {
            const char byte = static_cast<char>(c);
            const body_outcome got = read_chunks(before + byte);
            BOOST_TEST((got.how != body_state::refused) == is_taken(byte), "byte " << c << " behind " << before);
        }
    }
}

BOOST_AUTO_TEST_CASE(what_says_where_a_message_ends_or_goes_is_no_trailer)
{
    for (const std::string name : {"connection", "content-length", "host", "keep-alive", "proxy-connection", "te",
                                   "trailer", "transfer-encoding", "upgrade", "expect", "Host", "HOST", "hOSt", "Te",
                                   "Content-Length", "TRANSFER-ENCODING"}) {
        BOOST_TEST_CONTEXT(name)
        {
            for (const std::string before : {"0\r\n", "0\r\nX: y\r\n"}) {
                const std::string row = before + name + ':';
                BOOST_TEST(read_chunks(row + " a\r\n\r\n") == refused_body(400, "", row.size()));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_read_behind_the_end)
{
    body_reader reader(10);
    for (const std::string bytes : {"0\r\n\r\n", "g", "b\r\n"}) {
        std::string body;
        std::size_t used = 0;
        reader.start(head_of(body_kind::chunked));
        const body_state first = reader.read(bytes, used, body);
        BOOST_TEST((first != body_state::more));
        const int status = reader.why().status;
        for (const std::string& next : {""s, "1\r\na\r\n0\r\n\r\n"s, behind}) {
            BOOST_TEST((reader.read(next, used, body) == first));
            BOOST_TEST(used == 0u);
            BOOST_TEST(body.empty());
            BOOST_TEST(reader.why().status == status);
        }
    }
}

BOOST_AUTO_TEST_CASE(each_start_forgets_the_body_before)
{
    body_reader reader(10);
    const std::string right = "1;" + std::string(250, 'a') +
                              "\r\nx\r\n9\r\n123456789\r\n0\r\nX:" + std::string(4000, 'y') +
                              "\r\n\r\n"; // more than half of each limit
    for (const std::string before :
         {"1", "1;a=\"", "9\r\n1234", "1\r\na\r\n0\r\nX: y", "1;\r", "b\r\n", "0\r\nhost:"}) {
        read_body(reader, head_of(body_kind::chunked), {before});
        BOOST_TEST(read_body(reader, head_of(body_kind::chunked), {right}) == done_body("x123456789", right.size()));
        BOOST_TEST(read_body(reader, head_of(body_kind::length, 2), {right}) == done_body("1;", 2));
        BOOST_TEST(read_body(reader, head_of(body_kind::length, 3), {"a"}).used == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
