// What two readers of HTTP may understand differently, so that one of them sees a request that the other does not: refused,
// however it comes. Each row is read whole, in two pieces cut everywhere, and byte by byte.

#include "support/read_request.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace std::literals;
using partyline::test::read_in_pieces;
using partyline::test::read_request;

namespace {

constexpr int fine = 0;

struct row {
    std::string name;
    std::string bytes;
    int status = fine; // that it is refused with
    std::string body = {};
    std::string rest = {}; // behind the request
};

const std::string host = "Host: a\r\n";

// A POST with these fields, and what stands behind its head.
std::string post(const std::string& fields, const std::string& behind = {})
{
    return "POST /rpc HTTP/1.1\r\n" + host + fields + "\r\n" + behind;
}

std::string chunked(const std::string& chunks)
{
    return post("Transfer-Encoding: chunked\r\n", chunks);
}

std::vector<row> request_lines()
{
    const std::string end = "\r\n" + host + "\r\n";
    std::vector<row> rows{
        {"a plain request", "GET / HTTP/1.1" + end},
        {"a query", "GET /rpc?a=b&c HTTP/1.1" + end},
        {"an absolute target", "GET http://a/rpc HTTP/1.1" + end},
        {"an absolute target in capitals", "GET HTTP://a/ HTTP/1.1" + end},
        {"an absolute target without a path", "GET http://a HTTP/1.1" + end},
        {"an absolute target of another host", "GET http://b/ HTTP/1.1" + end, 400},
        {"an absolute target of another port", "GET http://a:1/ HTTP/1.1" + end, 400},
        {"an absolute target with a user", "GET http://u@a/ HTTP/1.1" + end, 400},
        {"an absolute target of no host", "GET http:///x HTTP/1.1" + end, 400},
        {"an absolute target of https", "GET https://a/ HTTP/1.1" + end, 400},
        {"a target without a slash", "GET rpc HTTP/1.1" + end, 400},
        {"a target of two stars", "OPTIONS ** HTTP/1.1" + end, 400},
        {"OPTIONS *", "OPTIONS * HTTP/1.1" + end},
        {"GET *", "GET * HTTP/1.1" + end, 400},
        {"CONNECT", "CONNECT a:443 HTTP/1.1" + end, 501},
        {"a method of its own", "PURGE / HTTP/1.1" + end},
        {"a method in small letters", "post / HTTP/1.1" + end},
        {"a long method", std::string(33, 'M') + " / HTTP/1.1" + end, 501},
        {"a long method and a bad byte", std::string(40, 'M') + "\x01/ HTTP/1.1" + end, 501},
        {"no method", " / HTTP/1.1" + end, 400},
        {"a blank in front", " GET / HTTP/1.1" + end, 400},
        {"two blanks behind the method", "GET  / HTTP/1.1" + end, 400},
        {"two blanks behind the target", "GET /  HTTP/1.1" + end, 400},
        {"a tab behind the method", "GET\t/ HTTP/1.1" + end, 400},
        {"a tab behind the target", "GET /\tHTTP/1.1" + end, 400},
        {"a blank in the target", "GET /a b HTTP/1.1" + end, 400},
        {"a blank at the end", "GET / HTTP/1.1 " + end, 400},
        {"no target", "GET HTTP/1.1" + end, 400},
        {"HTTP/0.9", "GET /" + end, 400},
        {"HTTP/1.0", "GET / HTTP/1.0" + end},
        {"HTTP/1.2", "GET / HTTP/1.2" + end, 505},
        {"HTTP/2.0", "GET / HTTP/2.0" + end, 505},
        {"HTTP/11.1", "GET / HTTP/11.1" + end, 400},
        {"HTTP/1.10", "GET / HTTP/1.10" + end, 400},
        {"HTTP/1", "GET / HTTP/1" + end, 400},
        {"HTTP/1.", "GET / HTTP/1." + end, 400},
        {"HTTP/01.1", "GET / HTTP/01.1" + end, 505},
        {"http/1.1", "GET / http/1.1" + end, 400},
        {"HTTPS/1.1", "GET / HTTPS/1.1" + end, 400},
        {"HTTP 1.1", "GET / HTTP 1.1" + end, 400},
        {"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"an empty line in front", "\r\nGET / HTTP/1.1" + end, 400},
        {"a bare LF in front", "\nGET / HTTP/1.1" + end, 400},
        {"a byte order mark", "\xef\xbb\xbfGET / HTTP/1.1" + end, 400},
        {"TLS", "\x16\x03\x01\x02"s, 400},
        {"JSON", "{\"jsonrpc\":\"2.0\"}\n", 400},
        {"SSH", "SSH-2.0-OpenSSH_9\r\n", 400},
        {"a fragment", "GET /#a HTTP/1.1" + end, 400},
        {"a bracket in a target", "GET /[a] HTTP/1.1" + end},
        {"a backslash in a target", "GET /\\a HTTP/1.1" + end, 400},
        {"a quote in a target", "GET /\"a HTTP/1.1" + end, 400},
        {"a bare LF behind the request line", "GET / HTTP/1.1\n" + host + "\r\n", 400},
        {"a bare CR behind the request line", "GET / HTTP/1.1\r" + host + "\r\n", 400},
        {"two CRs behind the request line", "GET / HTTP/1.1\r\r\n" + host + "\r\n", 400},
        {"a target that is too long", "GET /" + std::string(9000, 'a') + " HTTP/1.1" + end, 414},
    };
    for (int c = 0; c < 256; ++c) { // every byte in a target that belongs in none
        const char byte = static_cast<char>(c);
        const bool is_seldom = c <= 0x20 || c >= 0x7f;
        if (is_seldom && (c < 0x21 || c % 16 == 15 || c > 0xf0))
            rows.push_back({"byte " + std::to_string(c) + " in a target", "GET /"s + byte + "x HTTP/1.1" + end, 400});
    }
    for (int c = 0; c < 0x20; ++c)
        rows.push_back(
            {"byte " + std::to_string(c) + " in a method", "G"s + static_cast<char>(c) + "T / HTTP/1.1" + end, 400});
    return rows;
}

std::vector<row> fields()
{
    std::vector<row> rows{
        {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"no Host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"},
        {"two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
        {"the same Host twice", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400},
        {"an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400},
        {"a Host with a port", "GET / HTTP/1.1\r\nHost: a:80\r\n\r\n"},
        {"a Host with an empty port", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n"},
        {"a Host with letters as a port", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", 400},
        {"a Host with two ports", "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n", 400},
        {"a Host with a long port", "GET / HTTP/1.1\r\nHost: a:123456\r\n\r\n", 400},
        {"a Host of IPv6", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"},
        {"a Host of IPv6 that is not closed", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400},
        {"a Host of IPv6 and more", "GET / HTTP/1.1\r\nHost: [::1]a\r\n\r\n", 400},
        {"a Host of empty brackets", "GET / HTTP/1.1\r\nHost: []\r\n\r\n", 400},
        {"a Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400},
        {"a Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
        {"a Host with a blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
        {"a list of Hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
        {"a Host with a percent", "GET / HTTP/1.1\r\nHost: a%20\r\n\r\n", 400},
        {"a folded line", post("X: a\r\n b\r\n"), 400},
        {"a line folded by a tab", post("X: a\r\n\tb\r\n"), 400},
        {"a folded line in front of all fields", "GET / HTTP/1.1\r\n X: a\r\n" + host + "\r\n", 400},
        {"a folded length", post("Content-Length: 1\r\n 0\r\n", "0123456789"), 400},
        {"a blank in front of a colon", post("X : a\r\n"), 400},
        {"a tab in front of a colon", post("X\t: a\r\n"), 400},
        {"no colon", post("X\r\n"), 400},
        {"no name", post(": a\r\n"), 400},
        {"an empty value", post("X:\r\n")},
        {"blanks around a value", post("X: \t a \t\r\n")},
        {"a blank in a name", post("X Y: a\r\n"), 400},
        {"a bare LF at the end of a field", post("X: a\nY: b\r\n"), 400},
        {"a bare CR in a value", post("X: a\rY: b\r\n"), 400},
        {"two CRs at the end of a field", post("X: a\r\r\n"), 400},
        {"NUL in a value", post("X: a\0b\r\n"s), 400},
        {"NUL in a name", post("X\0: a\r\n"s), 400},
        {"a bare LF at the end of the head", "GET / HTTP/1.1\r\n" + host + "\n", 400},
        {"a bare CR at the end of the head", "GET / HTTP/1.1\r\n" + host + "\rX", 400},
        {"UTF-8 in a value", post("X: \xc3\xa4\r\n")},
        {"UTF-8 in a name", post("\xc3\xa4: a\r\n"), 400},
        {"many fields", post([] {
             std::string all;
             for (int i = 0; i < 101; ++i)
                 all += "X: a\r\n";
             return all;
         }()),
         431},
        {"a long field", post("X: " + std::string(20000, 'a') + "\r\n"), 431},
        {"a Connection that is no list", post("Connection: c\"id\":1,\r\n"), 400},
        {"a Proxy-Connection", post("Proxy-Connection: keep-alive, x\r\n")},
        {"a Proxy-Connection that is no list", post("Proxy-Connection: c\"x\r\n"), 400},
        {"an upgrade", post("Connection: Upgrade\r\nUpgrade: h2c\r\n")},
        {"an expectation", post("Expect: 100-continue\r\n")},
        {"another expectation", post("Expect: 101-continue\r\n")},
    };
    const std::string allowed = "!#$%&'*+-.^_`|~";
    for (int c = 0; c < 256; ++c) {
        const char byte = static_cast<char>(c);
        const bool is_letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_letter_or_digit || byte == ':' || c >= 0x90)
            continue;
        const int verdict = allowed.find(byte) != allowed.npos ? fine : 400;
        rows.push_back({"byte " + std::to_string(c) + " in a name", post("X"s + byte + "Y: a\r\n"), verdict});
    }
    for (int c = 0; c < 0x20; ++c) {
        const int verdict = c == '\t' ? fine : 400;
        rows.push_back(
            {"byte " + std::to_string(c) + " in a value", post("X: a"s + static_cast<char>(c) + "b\r\n"), verdict});
    }
    rows.push_back({"byte 127 in a value", post("X: a\x7f\r\n"), 400});
    return rows;
}

std::vector<row> lengths()
{
    const auto length = [](const std::string& value) { return post("Content-Length: " + value + "\r\n", "01234"); };
    return {
        {"no body", post({}, "GET"), fine, {}, "GET"},
        {"a length", length("5"), fine, "01234"},
        {"a length with zeros in front", length("0005"), fine, "01234"},
        {"a length of nothing", length("0"), fine, {}, "01234"},
        {"a shorter length", length("3"), fine, "012", "34"},
        {"a pipelined request", post("Content-Length: 2\r\n", "{}GET / HTTP/1.1\r\n"), fine, "{}",
         "GET / HTTP/1.1\r\n"},
        {"an empty length", length(""), 400},
        {"a sign", length("+5"), 400},
        {"a negative length", length("-5"), 400},
        {"a hexadecimal length", length("0x5"), 400},
        {"a letter", length("5a"), 400},
        {"a blank within", length("5 5"), 400},
        {"a fraction", length("5.0"), 400},
        {"a list", length("5, 5"), 400},
        {"a list of different lengths", length("5, 6"), 400},
        {"a comma at the end", length("5,"), 400},
        {"a quoted length", length("\"5\""), 400},
        {"2^63", length("9223372036854775808"), 400},
        {"2^64", length("18446744073709551616"), 400},
        {"a hundred digits", length(std::string(100, '1')), 400},
        {"an underscore", length("1_0"), 400},
        {"the same length twice", post("Content-Length: 5\r\nContent-Length: 5\r\n", "01234"), 400},
        {"two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "01234"), 400},
        {"two lengths of different case", post("Content-Length: 5\r\ncontent-length: 0\r\n", "01234"), 400},
        {"a length of too much", length("2000000"), 413},
        {"a name like it", post("Content_Length: 5\r\n", "01234"), fine, {}, "01234"},
        {"a length with a vertical tab",
         post("Content-Length: \x0b"
              "5\r\n",
              "01234"),
         400},
        {"a length behind NUL",
         post("Content-Length: \0"
              "5\r\n"s,
              "01234"),
         400},
    };
}

std::vector<row> codings()
{
    const std::string body = "3\r\nabc\r\n0\r\n\r\n";
    const auto coding = [&](const std::string& value) { return post("Transfer-Encoding:" + value + "\r\n", body); };
    return {
        {"chunked", coding(" chunked"), fine, "abc"},
        {"Chunked", coding(" Chunked"), fine, "abc"},
        {"chunked without a blank", coding("chunked"), fine, "abc"},
        {"chunked with blanks behind", coding(" chunked  "), fine, "abc"},
        {"length, then chunked", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", body), 400},
        {"chunked, then length", post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", body), 400},
        {"chunked and a length of nothing", post("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", body), 400},
        {"a bad length and chunked", post("Content-Length: x\r\nTransfer-Encoding: chunked\r\n", body), 400},
        {"gzip", coding(" gzip"), 501},
        {"gzip, chunked", coding(" gzip, chunked"), 501},
        {"chunked, identity", coding(" chunked, identity"), 501},
        {"chunked, chunked", coding(" chunked, chunked"), 501},
        {"identity", coding(" identity"), 501},
        {"xchunked", coding(" xchunked"), 501},
        {"chunkedx", coding(" chunkedx"), 501},
        {"chunked;q=1", coding(" chunked;q=1"), 501},
        {"\"chunked\"", coding(" \"chunked\""), 501},
        {"chunked,", coding(" chunked,"), 501},
        {",chunked", coding(" ,chunked"), 501},
        {"an empty coding", coding(""), 501},
        {"a vertical tab in front",
         coding(" \x0b"
                "chunked"),
         400},
        {"a form feed in front",
         coding(" \x0c"
                "chunked"),
         400},
        {"NUL in front", coding(" \0chunked"s), 400},
        {"a bare CR behind", coding(" chunked\r"), 400},
        {"chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", body), 400},
        {"chunked and identity", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", body), 400},
        {"identity and chunked", post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", body), 501},
        {"a blank in front of the colon", post("Transfer-Encoding : chunked\r\n", body), 400},
        {"folded", post("Transfer-Encoding:\r\n chunked\r\n", body), 400},
        {"a name like it", post("Transfer_Encoding: chunked\r\n", body), fine, {}, body},
        {"in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + body, 400},
        {"in HTTP/1.0 with a length",
         "POST / HTTP/1.0\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + body, 400},
    };
}

std::vector<row> chunks()
{
    return {
        {"two chunks", chunked("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"), fine, "abc"},
        {"no chunk", chunked("0\r\n\r\n"), fine},
        {"capital digits", chunked("A\r\n0123456789\r\n0\r\n\r\n"), fine, "0123456789"},
        {"small digits", chunked("a\r\n0123456789\r\n0\r\n\r\n"), fine, "0123456789"},
        {"zeros in front", chunked("0003\r\nabc\r\n0\r\n\r\n"), fine, "abc"},
        {"zeros as the last one", chunked("3\r\nabc\r\n000\r\n\r\n"), fine, "abc"},
        {"an extension", chunked("3;a=b\r\nabc\r\n0;c\r\n\r\n"), fine, "abc"},
        {"a quoted extension", chunked("3;a=\"b; c\"\r\nabc\r\n0\r\n\r\n"), fine, "abc"},
        {"two extensions", chunked("3;a;b=c\r\nabc\r\n0\r\n\r\n"), fine, "abc"},
        {"an extension without a name", chunked("3;\r\nabc\r\n0\r\n\r\n"), 400},
        {"an extension without a value", chunked("3;a=\r\nabc\r\n0\r\n\r\n"), 400},
        {"an extension with a blank", chunked("3; a\r\nabc\r\n0\r\n\r\n"), 400},
        {"an extension that is not closed", chunked("3;a=\"b\r\nabc\r\n0\r\n\r\n"), 400},
        {"an extension with an escape", chunked("3;a=\"\\\"\"\r\nabc\r\n0\r\n\r\n"), 400},
        {"an extension behind quotes", chunked("3;a=\"b\"c\r\nabc\r\n0\r\n\r\n"), 400},
        {"UTF-8 in an extension", chunked("3;a=\xc3\xa4\r\nabc\r\n0\r\n\r\n"), 400},
        {"what follows", chunked("3\r\nabc\r\n0\r\n\r\nGET / HTTP/1.1\r\n"), fine, "abc", "GET / HTTP/1.1\r\n"},
        {"a trailer", chunked("3\r\nabc\r\n0\r\nX: y\r\n\r\nrest"), fine, "abc", "rest"},
        {"a Host in a trailer", chunked("0\r\nHost: b\r\n\r\n"), 400},
        {"a length in a trailer", chunked("0\r\ncontent-length: 9\r\n\r\n"), 400},
        {"a coding in a trailer", chunked("0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400},
        {"a Connection in a trailer", chunked("0\r\nConnEction: }\r\n\r\n"), 400},
        {"0x in front", chunked("0x3\r\nabc\r\n0\r\n\r\n"), 400},
        {"a sign", chunked("+3\r\nabc\r\n0\r\n\r\n"), 400},
        {"a negative size", chunked("-3\r\nabc\r\n0\r\n\r\n"), 400},
        {"a blank in front", chunked(" 3\r\nabc\r\n0\r\n\r\n"), 400},
        {"a blank behind", chunked("3 \r\nabc\r\n0\r\n\r\n"), 400},
        {"a blank in front of an extension", chunked("3 ;a\r\nabc\r\n0\r\n\r\n"), 400},
        {"an underscore", chunked("1_0\r\n"), 400},
        {"no size", chunked("\r\nabc\r\n0\r\n\r\n"), 400},
        {"only an extension", chunked(";a\r\nabc\r\n0\r\n\r\n"), 400},
        {"letters", chunked("g\r\nabc\r\n0\r\n\r\n"), 400},
        {"a bare LF behind the size", chunked("3\nabc\r\n0\r\n\r\n"), 400},
        {"a bare CR behind the size", chunked("3\rabc\r\n0\r\n\r\n"), 400},
        {"a bare LF in an extension", chunked("3;a\nabc\r\n0\r\n\r\n"), 400},
        {"NUL in an extension", chunked("3;\0\r\nabc\r\n0\r\n\r\n"s), 400},
        {"a bare LF behind the data", chunked("3\r\nabc\n0\r\n\r\n"), 400},
        {"a bare CR behind the data", chunked("3\r\nabc\r0\r\n\r\n"), 400},
        {"no line end behind the data", chunked("3\r\nabc0\r\n\r\n"), 400},
        {"more data than told", chunked("3\r\nabcd\r\n0\r\n\r\n"), 400},
        {"less data than told", chunked("4\r\nabc\r\n0\r\n\r\n"), 400},
        {"a size of 2^64", chunked("10000000000000000\r\n"), 400},
        {"a size of 2^64 + 3", chunked("10000000000000003\r\nabc\r\n0\r\n\r\n"), 400},
        {"a size of 2^63", chunked("8000000000000000\r\n"), 400},
        {"a size of too much", chunked("200000\r\n"), 413},
        {"seventeen zeros", chunked("00000000000000003\r\nabc\r\n0\r\n\r\n"), 400},
        {"extensions without end", chunked("3;" + std::string(300, 'a') + "\r\nabc\r\n0\r\n\r\n"), 400},
        {"many extensions", chunked([] {
             std::string all;
             for (int i = 0; i < 40; ++i)
                 all += "1;abcdefgh\r\na\r\n";
             return all + "0\r\n\r\n";
         }()),
         400},
        {"trailers without end", chunked("0\r\nX: " + std::string(5000, 'a') + "\r\n\r\n"), 431},
        {"a folded trailer", chunked("0\r\nX: a\r\n b\r\n\r\n"), 400},
        {"a trailer without colon", chunked("0\r\nX\r\n\r\n"), 400},
        {"a trailer without a name", chunked("0\r\n: a\r\n\r\n"), 400},
        {"a trailer with a blank in front of the colon", chunked("0\r\nX : a\r\n\r\n"), 400},
        {"a bare LF in a trailer", chunked("0\r\nX: a\n\r\n"), 400},
        {"a bare LF at the end", chunked("0\r\n\n"), 400},
        {"a bare CR at the end", chunked("0\r\n\rX"), 400},
        {"NUL in a trailer", chunked("0\r\nX: \0\r\n\r\n"s), 400},
    };
}

std::vector<std::string_view> bytes_of(std::string_view text)
{
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < text.size(); ++i)
        bytes.push_back(text.substr(i, 1));
    return bytes;
}

void check(const row& each)
{
    BOOST_TEST_CONTEXT(each.name)
    {
        const std::string_view bytes = each.bytes;
        const read_request whole = read_in_pieces({bytes});
        if (each.status != fine) {
            BOOST_TEST((whole.how == read_request::verdict::refused));
            BOOST_TEST(whole.status == each.status);
            BOOST_TEST(whole.stays_refused); // so that nothing behind it is a second request
        } else {
            BOOST_TEST_REQUIRE((whole.how == read_request::verdict::done));
            BOOST_TEST(whole.body == each.body);
            BOOST_TEST(bytes.substr(whole.used) == each.rest);
        }
        for (std::size_t cut = 1; cut < bytes.size(); cut += bytes.size() > 4000 ? 97 : 1)
            BOOST_TEST((read_in_pieces({bytes.substr(0, cut), bytes.substr(cut)}) == whole), "cut at " << cut);
        if (bytes.size() <= 4000) // each byte moves all that has come
            BOOST_TEST((read_in_pieces(bytes_of(bytes)) == whole), "byte by byte");
    }
}

std::size_t check_all(const std::vector<row>& rows)
{
    for (const row& each : rows)
        check(each);
    return rows.size();
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_smuggling, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(every_row_has_its_verdict_however_it_is_cut)
{
    std::size_t count = 0;
    for (const auto& rows : {request_lines(), fields(), lengths(), codings(), chunks()})
        count += check_all(rows);
    BOOST_TEST(count >= 250u);
}

BOOST_AUTO_TEST_SUITE_END()
