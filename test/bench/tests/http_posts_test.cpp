#include "bench/driver/posts.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace bench;

BOOST_AUTO_TEST_SUITE(posts)

BOOST_AUTO_TEST_CASE(a_post_is_written_as_clients_write_it)
{
    BOOST_TEST(post_of({.path = "/rpc", .port = 8080}, "{}") == "POST /rpc HTTP/1.1\r\n"
                                                                "Host: 127.0.0.1:8080\r\n"
                                                                "User-Agent: partyline-bench/1.0\r\n"
                                                                "Accept: application/json\r\n"
                                                                "Content-Type: application/json\r\n"
                                                                "Content-Length: 2\r\n\r\n{}");
    const std::string in_session =
        post_of({.path = "/mcp", .port = 1, .spoken = protocol::mcp_handshake, .session = "abc"}, "{}");
    BOOST_TEST(in_session.find("\r\nMCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: abc\r\n") != std::string::npos);
    BOOST_TEST(in_session.find("\r\nAccept: application/json, text/event-stream\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(requests_are_dealt_out_to_connections)
{
    random_source random(1);
    const request_set requests({.method = "echo", .fill = fixed("{}", "1"), .count = 5}, random);
    const post_set all({{.path = "/a"}, {.path = "/b"}}, requests);
    BOOST_TEST(all.count(0) == 3u);
    BOOST_TEST(all.count(1) == 2u);
    BOOST_TEST(all.text(1, 0, 1).starts_with("POST /b "));
    BOOST_TEST(all.text(0, 0, 2) == std::string(all.text(0, 0, 1)) + std::string(all.text(0, 1, 1)));
    BOOST_TEST(all.text(0, 2, 9) == all.text(0, 2, 1));
    BOOST_TEST(all.text(0, 3, 1) == "");
}

BOOST_AUTO_TEST_CASE(users_of_a_connection_take_turns)
{
    random_source random(1);
    const request_set requests({.method = "echo", .fill = fixed("{}", "1"), .count = 3}, random);
    const post_set all({{.path = "/rpc", .authorizations = {"Bearer a", "Bearer b"}}}, requests);
    const char* const shown[] = {"Bearer a", "Bearer b", "Bearer a"};
    for (std::size_t i = 0; i < all.count(0); ++i)
        BOOST_TEST(all.text(0, i, 1).find(std::string("\r\nAuthorization: ") + shown[i] + "\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(lines_and_frames_have_no_head)
{
    BOOST_TEST(request_of({.path = "/rpc"}, "{}") == post_of({.path = "/rpc"}, "{}"));
    BOOST_TEST(request_of({.path = "", .how = speech::lines}, "{}") == "{}\n");
    BOOST_TEST(request_of({.path = "", .how = speech::websocket}, "{}") == "\x81\x82\x37\xfa\x21\x3d\x4c\x87");
}

BOOST_AUTO_TEST_CASE(headers_are_framing_too)
{
    random_source random(1);
    const request_set requests({.method = "echo", .fill = text_of(16), .count = 2}, random);
    for (const framing how : {framing::ndjson, framing::content_length}) {
        const post_set all({{.path = "", .how = speech::streams, .framed = how}}, requests);
        inbox read(how);
        read.append(all.text(0, 0, 2));
        BOOST_TEST_REQUIRE(read.size() == 2u);
        BOOST_TEST(read[0] == requests.body(0));
        BOOST_TEST(read[1] == requests.body(1));
    }
}

BOOST_AUTO_TEST_CASE(a_client_of_websocket_says_what_it_wants)
{
    const std::string opening = opening_of({.path = "/ws", .port = 8080});
    BOOST_TEST(opening.starts_with("GET /ws HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"));
    for (const char* const field : {"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"})
        BOOST_TEST(opening.find(std::string("\r\n") + field + "\r\n") != std::string::npos, field);
    BOOST_TEST(opening.ends_with("\r\n\r\n"));
}

BOOST_AUTO_TEST_SUITE_END()
