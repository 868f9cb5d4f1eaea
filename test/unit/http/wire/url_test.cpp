#include "http/wire/url.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace std::literals;
using partyline::http::parse_url;
using partyline::http::url;
using partyline::http::url_scheme;

namespace {

struct right_row {
    std::string text;
    url expected;
    std::string authority;
};

struct wrong_row {
    std::string text;
    std::string why;
};

} // namespace

BOOST_AUTO_TEST_SUITE(http_url)

BOOST_AUTO_TEST_CASE(addresses_are_taken_apart)
{
    const right_row rows[] = {
        {"http://a", {url_scheme::http, "a", 80, "/"}, "a"},
        {"http://a/", {url_scheme::http, "a", 80, "/"}, "a"},
        {"HTTPS://Example.ORG/Mcp", {url_scheme::https, "example.org", 443, "/Mcp"}, "example.org"},
        {"ws://a:8080/x?y=/z?&b", {url_scheme::ws, "a", 8080, "/x?y=/z?&b"}, "a:8080"},
        {"wss://a?x", {url_scheme::wss, "a", 443, "/?x"}, "a"},
        {"http://a:80", {url_scheme::http, "a", 80, "/"}, "a"},
        {"http://a:443", {url_scheme::http, "a", 443, "/"}, "a:443"},
        {"https://a:443/x", {url_scheme::https, "a", 443, "/x"}, "a"},
        {"http://127.0.0.1:1/", {url_scheme::http, "127.0.0.1", 1, "/"}, "127.0.0.1:1"},
        {"http://[::1]", {url_scheme::http, "::1", 80, "/"}, "[::1]"},
        {"http://[2001:DB8::1]:65535/x", {url_scheme::http, "2001:db8::1", 65535, "/x"}, "[2001:db8::1]:65535"},
        {"http://[::ffff:1.2.3.4]:00080", {url_scheme::http, "::ffff:1.2.3.4", 80, "/"}, "[::ffff:1.2.3.4]"},
        {"http://a_b-c.~d.:8/", {url_scheme::http, "a_b-c.~d.", 8, "/"}, "a_b-c.~d.:8"},
        {"http://a/%20//..;x@y:z", {url_scheme::http, "a", 80, "/%20//..;x@y:z"}, "a"},
        {"http://a?u@b", {url_scheme::http, "a", 80, "/?u@b"}, "a"},
    };
    for (const right_row& each : rows) {
        BOOST_TEST_CONTEXT(each.text)
        {
            const url came = parse_url(each.text);
            BOOST_TEST((came == each.expected));
            BOOST_TEST(came.authority() == each.authority);
        }
    }
    BOOST_TEST(parse_url("wss://[::1]/x").host_and_port() == "[::1]:443");
    BOOST_TEST(parse_url("HTTP://A:80/x").origin() == "http://a");
    BOOST_TEST(parse_url("wss://a:444/x").origin() == "wss://a:444");
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_refused_with_what_was_expected)
{
    const wrong_row rows[] = {
        {"", "scheme"},
        {"a", "scheme"},
        {"a:80/x", "scheme"},
        {"//a/x", "scheme"},
        {"http:/a", "scheme"},
        {"http:a", "scheme"},
        {"ftp://a", "scheme"},
        {"httpx://a", "scheme"},
        {"://a", "scheme"},
        {"http://", "no host"},
        {"http:///x", "no host"},
        {"http://:80", "no host"},
        {"http://?x", "no host"},
        {"http://[]", "no host"},
        {"http://[::1", "no host"},
        {"http://[a]", "IPv6"},
        {"http://[127.0.0.1]", "IPv6"},
        {"http://[fe80::1~eth0]", "IPv6"},
        {"http://[::1]x", "belongs in no name"},
        {"http://::1", "no host"},
        {"http://a:b@c", "user"},
        {"http://u@a/x", "user"},
        {"http://a%20b", "belongs in no name"},
        {"http://a,b", "belongs in no name"},
        {"http://a:", "port"},
        {"http://a:/x", "port"},
        {"http://a:0", "port"},
        {"http://a:65536", "port"},
        {"http://a:99999999999", "port"},
        {"http://a:+80", "port"},
        {"http://a:8x", "port"},
        {"http://a:1:2", "port"},
        {"http://a/x#y", "fragment"},
        {"http://a#", "fragment"},
        {"http://a b", "percent-encoded"},
        {" http://a", "percent-encoded"},
        {"http://a/\t", "percent-encoded"},
        {"http://a/\r\nX: y", "percent-encoded"},
        {"http://a/\0"s, "percent-encoded"},
        {"http://a/\x7f", "percent-encoded"},
        {"http://\xc3\xa4/", "percent-encoded"},
        {"http://a\\b", "percent-encoded"},
        {"http://a/<x>", "percent-encoded"},
    };
    for (const wrong_row& each : rows) {
        BOOST_TEST_CONTEXT(each.text)
        {
            BOOST_CHECK_EXCEPTION(parse_url(each.text), std::invalid_argument, [&](const std::invalid_argument& e) {
                const std::string said = e.what();
                BOOST_TEST(said.find("expected http://HOST:PORT/PATH") != said.npos);
                BOOST_TEST(said.find_first_of("\r\n\t") == said.npos);
                return said.find(each.why) != said.npos;
            });
        }
    }
}

BOOST_AUTO_TEST_CASE(what_is_said_of_one_that_names_a_user_does_not_show_the_password)
{
    const auto problem = [](const std::string& text) {
        try {
            parse_url(text);
        } catch (const std::invalid_argument& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    for (const char* text : {"http://user:secret@a/x", "socks5://user:secret@a", "http://user:secret@a/#x",
                             "user:secret@a:80", "http://user:sec@secret@a", "http://user:secret@a b"})
        BOOST_TEST(problem(text).find("sec") == std::string::npos, problem(text));
    BOOST_TEST(problem("http://user:secret@a/x").starts_with("'http://...@a/x' is no address of a server: "));
    BOOST_TEST(problem("http://a/b@c#d").starts_with("'http://a/b@c#d' is no"));
}

BOOST_AUTO_TEST_SUITE_END()
