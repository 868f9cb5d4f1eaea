#include "protocol/framing/http_check.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>

using partyline::http_check;
using answer = partyline::http_check::answer;

namespace {

answer answer_in_one(std::string_view text)
{
    return http_check().feed(text);
}

// Byte by byte, until it is settled.
answer answer_in_pieces(std::string_view text)
{
    http_check check;
    for (const char& c : text) {
        const answer found = check.feed({&c, 1});
        if (found != answer::open)
            return found;
    }
    return answer::open;
}

void check_answer(std::string_view text, answer expected)
{
    BOOST_TEST_CONTEXT(text)
    {
        BOOST_TEST((answer_in_one(text) == expected));
        BOOST_TEST((answer_in_pieces(text) == expected));
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_checks, *boost::unit_test::timeout(20))

BOOST_AUTO_TEST_CASE(a_request_line_is_http_whatever_its_method)
{
    for (const char* text :
         {"POST / HTTP/1.1\r\n", "GET http://a/b HTTP/1.0", "CONNECT host:1 HTTP/1.1", "OPTIONS * HTTP/1.1",
          "PRI * HTTP/2.0", "M-SEARCH * HTTP/1.1", "a.method_of!#$%&'*+-^`|~its.own /{} HTTP/",
          "GET /a b  HTTP HTTP/1.1", "\r\nPOST / HTTP/1.1"})
        check_answer(text, answer::http);
}

BOOST_AUTO_TEST_CASE(what_a_session_understands_is_none)
{
    for (const char* text : {"{\"jsonrpc\"", "[", " {", "\r\n[", "Content-Length: 2\r\n", "content-type:x", "\"a b\"",
                             "\xEF\xBB\xBF{", "rubbish\n", "POST\n", "POST\r\n", "POST\t/", "\x17\x03\x01 ",
                             "this is no JSON\n", "GET /\r\n", "no HTTP\n HTTP/1.1", "HTTP/1.1 200 OK"})
        check_answer(text, answer::other);
}

BOOST_AUTO_TEST_CASE(a_tls_handshake_is_what_https_begins_with)
{
    check_answer("\x16\x03\x01\x02", answer::http);
    check_answer("a\x16", answer::other);
}

BOOST_AUTO_TEST_CASE(a_beginning_is_open)
{
    for (const char* text : {"", "P", "CONNECT", "Content-Length", "\r\n", " \t", "GET ", "GET /", "GET / HTTP"})
        check_answer(text, answer::open);
}

BOOST_AUTO_TEST_SUITE_END()
