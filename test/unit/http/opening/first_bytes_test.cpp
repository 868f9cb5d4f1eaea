#include "http/opening/first_bytes.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using partyline::http::opening;
using partyline::http::opening_of;

namespace {

// What is decided by all of it must not be decided otherwise by less of it.
opening decided(std::string_view all)
{
    const opening by_all = opening_of(all);
    for (std::size_t size = 0; size != all.size(); ++size) {
        const opening by_less = opening_of(all.substr(0, size));
        BOOST_TEST((by_less == opening::undecided || by_less == by_all), all << " cut at " << size);
        BOOST_TEST((by_less != opening::undecided || size < partyline::http::decided_by), all << " cut at " << size);
    }
    return by_all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_first_bytes)

BOOST_AUTO_TEST_CASE(tell_what_is_spoken)
{
    for (const std::string_view all :
         {"GET / HTTP/1.1\r\n", "POST /rpc", "PUT /x", "DELETE /", "HEAD / ", "OPTIONS * HTTP", "PATCH /x",
          "CONNECT x:1", "TRACE / ", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "EHLO example.org\r\n", "get / ",
          "\r\nOPTIONS / HTTP/1.1", "\r\nGET / HTTP/1.1"})
        BOOST_TEST((decided(all) == opening::http), all);
    for (const std::string_view all : {"{\"jsonrpc\"", "[{", " \t\r\n{", "\xEF\xBB\xBF{", "\xEF\xBB\xBF \r\n[",
                                       "\r\n\r\n{", "          {", "\n\n\n\n\n\n\n\n\n\n\n\n{", "        x"})
        BOOST_TEST((decided(all) == opening::lines), all);
    for (const std::string_view all : {"Content-Length: 5\r\n", "content-length:5", "CONTENT-TYPE: x", "Content-X"})
        BOOST_TEST((decided(all) == opening::content_length), all);
    for (const std::string_view all : {std::string_view("\x16\x03\x01\x02\x00\x01", 6),
                                       std::string_view("\x16\x03\x00", 3), std::string_view("\x16\x03\x03\x00", 4)})
        BOOST_TEST((decided(all) == opening::tls));
    for (const std::string_view all :
         {std::string_view("PROXY TCP4 1.2.3.4"), std::string_view("\r\n\r\n\0\r\nQUIT\n\x21", 13)})
        BOOST_TEST((decided(all) == opening::proxy));
}

BOOST_AUTO_TEST_CASE(tell_what_is_none_of_these)
{
    for (const std::string_view all : {std::string_view("SSH-2.0-OpenSSH"),
                                       std::string_view("220 mail ESMTP"),
                                       std::string_view("\x80\x2e\x01\x03\x01"),
                                       std::string_view("\x16\x03\x05"),
                                       std::string_view("\x16\x02\x01"),
                                       std::string_view("\0\0\0\0", 4),
                                       std::string_view("\"text\""),
                                       std::string_view("12345678"),
                                       std::string_view("PROPFIND /x"),
                                       std::string_view("GET\t/"),
                                       std::string_view("\xEF\xBB\xBFx"),
                                       std::string_view("\xEF\xBBx"),
                                       std::string_view("Contents: 1"),
                                       std::string_view("Host: x"),
                                       std::string_view("\r\n\r\n\0\r\nQUIX\n", 12),
                                       std::string_view("  x"),
                                       std::string_view("*1\r\n$4\r\nPING"),
                                       std::string_view("\xFF\xFF"),
                                       std::string_view("\r\nContent-Length: 5"),
                                       std::string_view("\r\nSSH-2.0"),
                                       std::string_view("\nGET / HTTP/1.1")})
        BOOST_TEST((decided(all) == opening::unknown), all);
}

BOOST_AUTO_TEST_CASE(are_decided_about_early_whatever_they_are)
{
    for (unsigned first = 0; first != 256; ++first) {
        for (unsigned second = 0; second != 256; ++second) {
            std::string all(partyline::http::decided_by, 'x');
            all[0] = static_cast<char>(first);
            all[1] = static_cast<char>(second);
            BOOST_TEST_REQUIRE((decided(all) != opening::undecided));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
