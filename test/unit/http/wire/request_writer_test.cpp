#include "http/wire/head_reader.hpp"
#include "http/wire/request_writer.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using namespace std::literals;
using partyline::http::append_request_head;
using partyline::http::field;
using partyline::http::head_limits;
using partyline::http::head_reader;
using partyline::http::request_start;

namespace {

std::string written(const request_start& start)
{
    std::string text;
    append_request_head(text, start);
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_request_writer)

BOOST_AUTO_TEST_CASE(a_request_is_written_as_it_was_meant)
{
    const std::vector<field> fields{{"Accept", "a, b"}, {"X-Empty", ""}, {"X", "\xc3\xa4\t\"y\""}};
    BOOST_TEST(written({"POST", "/a?b", "x:1", 12, fields}) ==
               "POST /a?b HTTP/1.1\r\nHost: x:1\r\nAccept: a, b\r\nX-Empty: \r\nX: \xc3\xa4\t\"y\"\r\n"
               "Content-Length: 12\r\n\r\n");
    BOOST_TEST(written({"POST", "/", "[::1]", 0}) == "POST / HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 0\r\n\r\n");
    BOOST_TEST(written({"GET", "http://a/", "a"}) == "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n");
    BOOST_TEST(written({"CONNECT", "a:443", "a:443"}) == "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(our_own_reader_reads_it)
{
    const std::vector<field> fields{{"Accept", "a"}};
    head_reader reader{head_limits()};
    const std::string text = written({"POST", "/a?b", "x:1", 12, fields});
    BOOST_TEST_REQUIRE((reader.read(text) == head_reader::state::done));
    BOOST_TEST(reader.head().content_length == 12u);
    BOOST_TEST(reader.head().find("accept") == "a");
}

BOOST_AUTO_TEST_CASE(what_could_break_the_head_is_refused_and_nothing_is_written)
{
    const auto is_refused = [](const request_start& start) {
        std::string text = "x";
        BOOST_CHECK_THROW(append_request_head(text, start), std::invalid_argument);
        BOOST_TEST(text == "x");
    };
    for (const std::string& method : {""s, "GET "s, "G\r\nT"s, "G\0T"s, "G:"s, "\xc3\xa4"s})
        is_refused({method, "/", "a"});
    for (const std::string& target : {""s, "/ x"s, "/\r\nA: b"s, "/\n"s, "/\0"s, "/#x"s, "/\xc3\xa4"s, "/\t"s})
        is_refused({"GET", target, "a"});
    for (const std::string& host : {""s, "a b"s, "a\r\nA: b"s, "a,b"s, "u@a"s, "a:b"s, "a\0"s})
        is_refused({"GET", "/", host});
    for (const std::string& name : {""s, "A B"s, "A:"s, "A\r\nB"s, "A\n"s, "A\0"s, " A"s, "A "s, "\xc3\xa4"s}) {
        const std::vector<field> fields{{"Fine", "x"}, {name, "x"}};
        is_refused({"GET", "/", "a", std::nullopt, fields});
    }
    for (const std::string& value : {"a\r\nB: c"s, "a\n b"s, "a\rb"s, "a\0b"s, "\x7f"s, "\x1b[0m"s}) {
        const std::vector<field> fields{{"A", value}};
        is_refused({"GET", "/", "a", std::nullopt, fields});
    }
    for (const std::string& name : {"Host"s, "content-length"s, "TRANSFER-ENCODING"s}) {
        const std::vector<field> fields{{name, "1"}};
        is_refused({"GET", "/", "a", std::nullopt, fields});
    }
}

BOOST_AUTO_TEST_SUITE_END()
