#include "bench/driver/wire.hpp"

#include <boost/test/unit_test.hpp>

using namespace bench;

namespace {

std::string framed(std::string_view message, framing how)
{
    std::string wire;
    append_framed(wire, message, how);
    return wire;
}

} // namespace

BOOST_AUTO_TEST_SUITE(inboxes)

BOOST_AUTO_TEST_CASE(what_is_framed_comes_out_again_however_it_is_cut)
{
    for (const framing how : {framing::ndjson, framing::content_length}) {
        const std::string wire = framed("{}", how) + framed(std::string(300, 'x'), how) + framed("[1]", how);
        for (std::size_t cut = 1; cut <= wire.size(); ++cut) {
            inbox received(how);
            for (std::size_t at = 0; at < wire.size(); at += cut)
                received.append(std::string_view(wire).substr(at, cut));
            BOOST_TEST_REQUIRE(received.size() == 3u);
            BOOST_TEST(received[0] == "{}");
            BOOST_TEST(received[1] == std::string(300, 'x'));
            BOOST_TEST(received[2] == "[1]");
            BOOST_TEST(received.rest() == "");
        }
    }
}

BOOST_AUTO_TEST_CASE(clearing_keeps_what_is_not_complete)
{
    for (const framing how : {framing::ndjson, framing::content_length}) {
        const std::string second = framed("second", how);
        for (std::size_t cut = 1; cut < second.size(); ++cut) {
            inbox received(how);
            received.append(framed("first", how) + second.substr(0, cut));
            BOOST_TEST(received.size() == 1u);
            received.clear();
            BOOST_TEST(received.size() == 0u);
            received.append(second.substr(cut));
            BOOST_TEST_REQUIRE(received.size() == 1u);
            BOOST_TEST(received[0] == "second");
        }
    }
}

BOOST_AUTO_TEST_CASE(the_first_message_can_be_dropped_alone)
{
    inbox received(framing::ndjson);
    received.append("a\nb\nc");
    received.drop_first();
    BOOST_TEST_REQUIRE(received.size() == 1u);
    BOOST_TEST(received[0] == "b");
    BOOST_TEST(received.rest() == "c");
}

BOOST_AUTO_TEST_CASE(room_made_ahead_does_not_show)
{
    inbox received(framing::ndjson);
    received.append("a\n");
    received.make_room(1000);
    received.append("b\n");
    BOOST_TEST(received.bytes() == 4u);
    BOOST_TEST(received[1] == "b");
}

BOOST_AUTO_TEST_CASE(headers_may_say_more_and_in_any_case)
{
    inbox received(framing::content_length);
    received.append("Content-Type: application/json\r\ncontent-length:  2\r\n\r\n{}");
    BOOST_TEST_REQUIRE(received.size() == 1u);
    BOOST_TEST(received[0] == "{}");
}

BOOST_AUTO_TEST_CASE(what_is_no_header_is_a_failure)
{
    for (const std::string& wire :
         {std::string("{\"jsonrpc\":\"2.0\"}\r\n\r\n"), std::string("Content-Length: x\r\n\r\n"),
          std::string("Content-Length: 12z\r\n\r\n"), std::string("Content-Length: -1\r\n\r\n"),
          std::string("Content-Length:\r\n\r\n"), std::string("X-Content-Length: 2\r\n\r\n{}"),
          std::string("Content-Length: 99999999999\r\n\r\n"), std::string(5000, 'x')}) {
        inbox received(framing::content_length);
        BOOST_CHECK_THROW(received.append(wire), failure);
    }
}

BOOST_AUTO_TEST_SUITE_END()
