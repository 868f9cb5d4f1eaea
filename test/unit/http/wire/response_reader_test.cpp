#include "http/wire/response_reader.hpp"
#include "support/read_response.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

using namespace std::literals;
using namespace partyline::test;
using partyline::http::body_kind;
using partyline::http::response_limits;
using partyline::http::response_reader;
using partyline::http::response_to;

namespace {

using response_outcome = read_response::read_state;

std::string response_with(const std::string& fields, const std::string& content = {})
{
    return "HTTP/1.1 200 OK\r\n" + fields + "\r\n" + content;
}

std::string refused_for(const std::string& text, response_limits most = {})
{
    response_reader reader(most);
    reader.begin(response_to::any);
    return reader.read(text) == response_reader::state::refused ? reader.why() : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_response_reader, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(takes_a_response_apart)
{
    response_reader reader{response_limits()};
    reader.begin(response_to::any);
    const std::string text = "HTTP/1.1 404 Not\tFound \xe4\r\nContent-Length: 12\r\nX-Empty:\r\n"
                             "Keep-Alive: max=100, timeout=7\r\n\r\nrest";
    BOOST_TEST_REQUIRE((reader.read(text) == response_reader::state::done));
    const auto& head = reader.head();
    BOOST_TEST(head.status == 404);
    BOOST_TEST(head.reason == "Not\tFound \xe4");
    BOOST_TEST((head.body == body_kind::length));
    BOOST_TEST(head.content_length == 12u);
    BOOST_TEST(head.keeps_alive);
    BOOST_TEST((head.idle_time == 7s));
    BOOST_TEST(head.find("x-empty").data());
    BOOST_TEST(!head.find("x-none").data());
    BOOST_TEST(reader.size() == text.size() - 4);
}

BOOST_AUTO_TEST_CASE(every_right_status_line_is_read_however_it_is_cut)
{
    const std::pair<std::string, int> rows[] = {{"HTTP/1.1 200", 200},
                                                {"HTTP/1.1 200 OK", 200},
                                                {"HTTP/1.1 200 ", 200},
                                                {"HTTP/1.1 599 x y  z", 599},
                                                {"HTTP/1.0 301 Moved", 301},
                                                {"HTTP/1.1 418 \xc3\xa4\t", 418},
                                                {"HTTP/1.1 101 Switching Protocols", 101}};
    for (const auto& [line, status] : rows) {
        const read_response came = read_response_cut(line + "\r\nContent-Length: 0\r\n\r\nleft");
        BOOST_TEST((came.how == response_outcome::done), line);
        BOOST_TEST(came.status == status);
        BOOST_TEST(came.used == line.size() + 23);
        BOOST_TEST(came.reason == (line.size() > 12 ? line.substr(13) : ""));
    }
}

BOOST_AUTO_TEST_CASE(what_is_no_status_line_is_refused_however_it_is_cut)
{
    const std::string rows[] = {
        "\r\nHTTP/1.1 200 OK", " HTTP/1.1 200 OK",      "http/1.1 200 OK",    "HTTP/1.2 200 OK",   "HTTP/2 200",
        "HTTP/2.0 200 OK",     "HTTP/0.9 200 OK",       "HTTP/11 200 OK",     "HTTP/1.1  200 OK",  "HTTP/1.1\t200 OK",
        "HTTP/1.1 20 OK",      "HTTP/1.1 2000 OK",      "HTTP/1.1 099 OK",    "HTTP/1.1 600 OK",   "HTTP/1.1 999 OK",
        "HTTP/1.1 +20 OK",     "HTTP/1.1 2x0 OK",       "HTTP/1.1 200X",      "HTTP/1.1 200\tOK",  "HTTP/1.1 200 O\rK",
        "HTTP/1.1 200 O\nK",   "HTTP/1.1 200 O\x7fK",   "HTTP/1.1 200 O\0K"s, "HTTP/1.1 200 OK\r", "HTTP/1.1 200 OK\n",
        "ICY 200 OK",          "{\"jsonrpc\":\"2.0\"}", "GET / HTTP/1.1",     "\x15\x03\x01",      "SSH-2.0-x"};
    for (const std::string& line : rows) {
        const read_response came = read_response_cut(line + "\r\nContent-Length: 0\r\n\r\n");
        BOOST_TEST((came.how == response_outcome::refused), line);
        BOOST_TEST(came.stays_refused, line);
    }
    BOOST_TEST(refused_for("\x15").find("TLS") != std::string::npos);
    BOOST_TEST(refused_for("HTTP/2").find("another version") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(fields_that_two_readers_may_understand_differently_are_refused)
{
    const std::string rows[] = {"A: b\r\n c\r\n",
                                " A: b\r\n",
                                "\tA: b\r\n",
                                "A : b\r\n",
                                ": b\r\n",
                                "A\r\n",
                                "A b: c\r\n",
                                "A: b\n",
                                "A: b\rc\r\n",
                                "A: b\0c\r\n"s,
                                "A: \x01\r\n",
                                "A\0: b\r\n"s,
                                "Content-Length: 5\r\nContent-Length: 5\r\n",
                                "Content-Length: 5\r\nContent-Length: 6\r\n",
                                "Content-Length: 5, 5\r\n",
                                "Content-Length: +5\r\n",
                                "Content-Length: -5\r\n",
                                "Content-Length: 0x5\r\n",
                                "Content-Length: 5 5\r\n",
                                "Content-Length:\r\n",
                                "Content-Length: 9999999999999999999\r\n",
                                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                                "Transfer-Encoding: gzip\r\n",
                                "Transfer-Encoding: gzip, chunked\r\n",
                                "Transfer-Encoding: chunked, chunked\r\n",
                                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                                "Transfer-Encoding: identity\r\n",
                                "Transfer-Encoding:\r\n",
                                "Transfer-Encoding: xchunked\r\n",
                                "Connection: a b\r\n"};
    for (const std::string& fields : rows) {
        const read_response came = read_response_cut(response_with(fields, "hello"));
        BOOST_TEST((came.how == response_outcome::refused), fields);
        BOOST_TEST(came.stays_refused, fields);
    }
    const read_response old = read_response_cut("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    BOOST_TEST((old.how == response_outcome::refused));
}

BOOST_AUTO_TEST_CASE(the_body_ends_where_the_head_says)
{
    const std::string chunks = "3\r\nabc\r\n0\r\n\r\n";
    const read_response chunked = read_response_cut(response_with("Transfer-Encoding: Chunked\r\n", chunks + "left"));
    BOOST_TEST(chunked.body == "abc");
    BOOST_TEST(chunked.keeps_alive);
    const read_response told = read_response_cut(response_with("Content-Length: 3\r\n", "abcleft"));
    BOOST_TEST(told.body == "abc");
    BOOST_TEST(told.keeps_alive);
    const read_response rest = read_response_cut(response_with("X: y\r\n", "abc"));
    BOOST_TEST((rest.how == response_outcome::done));
    BOOST_TEST(rest.body == "abc");
    BOOST_TEST(rest.is_to_end);
    BOOST_TEST(!rest.keeps_alive);
}

BOOST_AUTO_TEST_CASE(a_body_that_is_cut_off_is_never_done)
{
    for (const std::string& text : {response_with("Content-Length: 3\r\n", "abc"),
                                    response_with("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n")}) {
        for (std::size_t size = 0; size < text.size(); ++size)
            BOOST_TEST(
                (read_response_in_pieces({std::string_view(text).substr(0, size)}).how == response_outcome::more));
    }
}

BOOST_AUTO_TEST_CASE(some_responses_have_no_body_whatever_their_head_says)
{
    const std::string tail = "\r\nContent-Length: 5\r\n\r\nleft";
    for (const char* status : {"204 No Content", "304 Not Modified", "101 Switching Protocols"}) {
        const read_response came = read_response_cut("HTTP/1.1 "s + status + tail);
        BOOST_TEST((came.how == response_outcome::done), status);
        BOOST_TEST(came.body == "", status);
        BOOST_TEST(!came.is_to_end, status);
    }
    const read_response to_head = read_response_cut("HTTP/1.1 200 OK" + tail, {response_to::head, {}});
    BOOST_TEST((to_head.how == response_outcome::done && to_head.body.empty()));
    const read_response tunnel = read_response_cut("HTTP/1.1 200 OK" + tail, {response_to::connect, {}});
    BOOST_TEST((tunnel.how == response_outcome::done && tunnel.body.empty()));
    const read_response no_tunnel = read_response_cut("HTTP/1.1 407 No" + tail, {response_to::connect, {}});
    BOOST_TEST((no_tunnel.how == response_outcome::more)); // which has the body that it tells of
}

BOOST_AUTO_TEST_CASE(interim_responses_are_told_and_bounded)
{
    const std::string one = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    const std::string behind = "HTTP/1.1 100 Continue\r\n\r\n" + one + response_with("Content-Length: 1\r\n", "x");
    const read_response came = read_response_cut(behind);
    BOOST_TEST(came.interim == 2u);
    BOOST_TEST(came.status == 200);
    BOOST_TEST(came.body == "x");
    BOOST_TEST(came.used == behind.size());
    response_reading how;
    how.most.interim = 3;
    const std::string last = response_with("Content-Length: 0\r\n");
    BOOST_TEST((read_response_cut(one + one + one + last, how).how == response_outcome::done));
    BOOST_TEST((read_response_cut(one + one + one + one + last, how).how == response_outcome::refused));
}

BOOST_AUTO_TEST_CASE(says_whether_the_connection_goes_on)
{
    const auto keeps_alive = [](const std::string& text) {
        const read_response came = read_response_cut(text);
        BOOST_TEST_REQUIRE((came.how == response_outcome::done));
        return came.keeps_alive;
    };
    const std::string empty = "Content-Length: 0\r\n\r\n";
    BOOST_TEST(keeps_alive("HTTP/1.1 200 OK\r\n" + empty));
    BOOST_TEST(keeps_alive("HTTP/1.1 200 OK\r\nConnection: Keep-Alive, x\r\n" + empty));
    BOOST_TEST(!keeps_alive("HTTP/1.1 200 OK\r\nConnection: Close\r\n" + empty));
    BOOST_TEST(!keeps_alive("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nConnection: x, close\r\n" + empty));
    BOOST_TEST(!keeps_alive("HTTP/1.0 200 OK\r\n" + empty));
    BOOST_TEST(keeps_alive("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + empty));
    BOOST_TEST(!keeps_alive("HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\n" + empty));
    BOOST_TEST(!keeps_alive("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nto the end"));
}

BOOST_AUTO_TEST_CASE(how_long_the_server_waits_is_a_hint)
{
    const auto idle_time = [](const std::string& value) {
        response_reader reader{response_limits()};
        reader.begin(response_to::any);
        const std::string text = response_with("Keep-Alive: " + value + "\r\n");
        BOOST_TEST_REQUIRE((reader.read(text) == response_reader::state::done));
        return reader.head().idle_time;
    };
    BOOST_TEST((idle_time("timeout=5") == 5s));
    BOOST_TEST((idle_time("max=9 , Timeout=0") == 0s));
    for (const char* value :
         {"", "5", "timeout", "timeout=", "timeout=x", "timeout=5s", "timeout=-1", "timeout=9999999"})
        BOOST_TEST(!idle_time(value), value);
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(keeps_to_its_limits)
{
    const std::string text = response_with("A: b\r\nC: d\r\n");
    BOOST_TEST(refused_for(text, {text.size(), 2, 0}) == "");
    BOOST_TEST(refused_for(text, {text.size() - 1, 2, 0}).find("longer") != std::string::npos);
    BOOST_TEST(refused_for(text, {text.size(), 1, 0}).find("more fields") != std::string::npos);
    BOOST_TEST(refused_for("HTTP/1.1 200 " + std::string(100, 'x'), {100, 2, 0}).find("longer") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(reads_one_after_the_other)
{
    response_reader reader{response_limits()};
    reader.begin(response_to::any);
    const std::string first = response_with("Content-Length: 5\r\nConnection: close\r\n");
    BOOST_TEST((reader.read(first) == response_reader::state::done));
    reader.begin(response_to::any);
    const std::string second = response_with("Transfer-Encoding: chunked\r\n");
    BOOST_TEST((reader.read(second) == response_reader::state::done));
    BOOST_TEST(reader.head().keeps_alive);
    BOOST_TEST((reader.head().body == body_kind::chunked));
    reader.begin(response_to::any);
    BOOST_TEST((reader.read("nonsense") == response_reader::state::refused));
    reader.begin(response_to::any);
    BOOST_TEST((reader.read(first) == response_reader::state::done));
}

BOOST_AUTO_TEST_SUITE_END()
