#include "http/wire/head_reader.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::http::head_limits;
using partyline::http::head_reader;

namespace {

using state = head_reader::state;

// With a Host.
std::string get(const std::string& fields)
{
    return "GET /a?b HTTP/1.1\r\nHost: x:1\r\n" + fields + "\r\n";
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_head_reader)

BOOST_AUTO_TEST_CASE(takes_a_request_apart)
{
    head_reader reader{head_limits()};
    const std::string text = get("Content-Type: application/json\r\nX-Empty:\r\n") + "rest";
    BOOST_TEST_REQUIRE((reader.read(text) == state::done));
    const auto& head = reader.head();
    BOOST_TEST(head.method == "GET");
    BOOST_TEST(head.target == "/a?b");
    BOOST_TEST(head.path == "/a");
    BOOST_TEST(head.query == "b");
    BOOST_TEST(head.host == "x:1");
    BOOST_TEST(head.find("content-type") == "application/json");
    BOOST_TEST(head.find("x-empty").data());
    BOOST_TEST(!head.find("x-none").data());
    BOOST_TEST(head.count("host") == 1u);
    BOOST_TEST(head.fields.size() == 3u);
    BOOST_TEST(reader.size() == text.size() - 4);
}

BOOST_AUTO_TEST_CASE(says_whether_the_connection_goes_on)
{
    const auto keeps_alive = [](const std::string& text) {
        head_reader reader{head_limits()};
        BOOST_TEST_REQUIRE((reader.read(text) == state::done));
        return reader.head().keeps_alive;
    };
    BOOST_TEST(keeps_alive(get("")));
    BOOST_TEST(!keeps_alive(get("Connection: close\r\n")));
    BOOST_TEST(!keeps_alive(get("Connection: x, Close\r\n")));
    BOOST_TEST(!keeps_alive(get("Connection: keep-alive\r\nConnection: close\r\n")));
    BOOST_TEST(!keeps_alive("GET / HTTP/1.0\r\n\r\n"));
    BOOST_TEST(!keeps_alive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(knows_one_expectation)
{
    const auto read = [](const std::string& fields) {
        head_reader reader{head_limits()};
        const std::string text = get(fields);
        BOOST_TEST_REQUIRE((reader.read(text) == state::done));
        return std::pair(reader.head().expects_continue, reader.head().has_unknown_expectation);
    };
    BOOST_TEST((read("Expect: 100-Continue\r\n") == std::pair(true, false)));
    BOOST_TEST((read("Expect: 100-continue, x\r\n") == std::pair(false, true)));
    BOOST_TEST((read("Expect: 100-continue\r\nExpect: 100-continue\r\n") == std::pair(false, true)));
}

BOOST_AUTO_TEST_CASE(refuses_what_is_wrong_as_soon_as_it_comes)
{
    const auto refused_after = [](const std::string& text) {
        head_reader reader{head_limits()};
        for (std::size_t size = 0; size <= text.size(); ++size) {
            if (reader.read(std::string_view(text).substr(0, size)) == state::refused)
                return size;
        }
        return std::string::npos;
    };
    BOOST_TEST(refused_after("\x16\x03\x01") == 1u);
    BOOST_TEST(refused_after("{\"jsonrpc\"") == 1u);
    BOOST_TEST(refused_after("GET / HTTX") == 10u);
    BOOST_TEST(refused_after("GET / HTTP/1.1\r\nX y") == 18u);
}

BOOST_AUTO_TEST_CASE(keeps_to_its_limits)
{
    const auto status = [](head_limits most, const std::string& text) {
        head_reader reader{most};
        return reader.read(text) == state::refused ? reader.why().status : 0;
    };
    const std::string text = get("A: b\r\n");
    BOOST_TEST(status({text.size(), 2, 4}, text) == 0);
    BOOST_TEST(status({text.size() - 1, 2, 4}, text) == 431);
    BOOST_TEST(status({text.size(), 1, 4}, text) == 431);
    BOOST_TEST(status({text.size(), 2, 3}, text) == 414);
}

BOOST_AUTO_TEST_CASE(reads_one_after_the_other)
{
    head_reader reader{head_limits()};
    BOOST_TEST((reader.read(get("A: b\r\n")) == state::done));
    reader.reset();
    BOOST_TEST((reader.read("GET / HTTP/1.1\r\n\r\n") == state::refused)); // the Host of the first one is forgotten
    reader.reset();
    BOOST_TEST((reader.read(get("")) == state::done));
}

BOOST_AUTO_TEST_SUITE_END()
