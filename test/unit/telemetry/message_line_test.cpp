#include "served.hpp"

#include <partyline/telemetry/message_line.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace json = boost::json;
using namespace partyline;
using partyline::test::served;

namespace {

const std::chrono::system_clock::time_point now{std::chrono::milliseconds(1'796'000'000'123)};

std::string line_of(const served_event& event)
{
    return telemetry::message_line(event, now);
}

} // namespace

BOOST_AUTO_TEST_SUITE(message_line_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(a_line_has_what_is_known_of_a_request)
{
    peer_identity peer;
    peer.principal = "ci";
    peer.address = {boost::asio::ip::make_address("127.0.0.1"), 50000};
    const auto trace = trace_context::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    const std::chrono::steady_clock::time_point began{std::chrono::hours(1)};
    served_event event{.method = "tools/call", .peer = peer};
    event.key = "read_file";
    event.id = "7";
    event.outcome = answer_outcome::result;
    event.arrived = began;
    event.ended = began + std::chrono::microseconds(412);
    event.trace = &*trace;
    event.outlet = 3;
    event.bytes_in = 160;
    event.bytes_out = 80;
    BOOST_TEST(line_of(event) ==
               R"({"time_ms":1796000000123,"connection":3,"peer":"127.0.0.1:50000","principal":"ci",)"
               R"("method":"tools/call","key":"read_file","id":7,"element":false,"outcome":"result","code":0,)"
               R"("us":412,"bytes_in":160,"bytes_out":80,"trace":"0af7651916cd43dd8448eb211c80319c"})");
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_left_out)
{
    served_event event = served("note");
    event.id = {};
    event.outcome = answer_outcome::none;
    event.is_element = true;
    BOOST_TEST(line_of(event) == R"({"time_ms":1796000000123,"connection":0,"method":"note","element":true,)"
                                 R"("outcome":"notification","code":0,"us":700,"bytes_in":60,"bytes_out":40})");
}

BOOST_AUTO_TEST_CASE(peers_of_unix_sockets_and_of_ipv6_are_told)
{
    peer_identity local;
    local.local = peer_identity::credentials{42, 1000, 1000};
    BOOST_TEST(json::parse(line_of({.method = "m", .peer = local})).at("peer") == "uid 1000 pid 42");
    peer_identity far;
    far.address = {boost::asio::ip::make_address("::1"), 80};
    BOOST_TEST(json::parse(line_of({.method = "m", .peer = far})).at("peer") == "[::1]:80");
}

BOOST_AUTO_TEST_CASE(texts_of_peers_stay_on_one_line_of_json_and_are_cut)
{
    const std::string longest(1'000'000, 'x');
    for (const std::string& method :
         {std::string("a\"\\b"), std::string("a\n{\"time_ms\":1}"), std::string("\x1b[2J\xff\x00z", 7), longest}) {
        served_event event = served(method);
        event.key = method;
        const std::string line = line_of(event);
        BOOST_TEST(line.size() < 1000u);
        BOOST_TEST(line.find('\n') == line.npos);
        BOOST_TEST(line.find('\x1b') == line.npos);
        BOOST_TEST(json::parse(line).at("us") == 700);
    }
    BOOST_TEST(json::parse(line_of(served("a\"\\b"))).at("method") == "a\"\\b");
}

BOOST_AUTO_TEST_CASE(secrets_of_keys_and_methods_are_left_out)
{
    for (const char* const text :
         {"https://a.example/b?access_token=planted", "https://a.example/cb?code=planted&state=1",
          "Authorization: Bearer planted", "x?client_secret=planted", "Mcp-Session-Id: planted",
          "a%3Faccess_token%3Dplanted%26b"}) {
        served_event event = served(text);
        const std::string id = '"' + std::string(text) + '"';
        event.key = text;
        event.id = id;
        const std::string line = line_of(event);
        BOOST_TEST(line.find("planted") == line.npos, line);
    }
    served_event event = served("resources/read");
    event.key = "file:///srv/a.txt";
    BOOST_TEST(json::parse(line_of(event)).at("key") == "file:///srv/a.txt");
}

BOOST_AUTO_TEST_CASE(ids_stay_what_they_are_unless_they_are_long)
{
    const std::string longest = '"' + std::string(100'000, '1') + '"';
    for (const std::string& id : {std::string("7"), std::string("\"a\\nb\""), std::string("1.5e3")}) {
        served_event event = served("m");
        event.id = id;
        BOOST_TEST(json::parse(line_of(event)).at("id") == json::parse(id), id);
    }
    served_event event = served("m");
    event.id = R"("a\ud83d")"; // half of a character, with which Boost.JSON reads no line
    BOOST_TEST(json::parse(line_of(event)).at("id") == R"("a\ud83d")");
    event.id = longest;
    BOOST_TEST(json::parse(line_of(event)).at("id").is_string());
    BOOST_TEST(line_of(event).size() < 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
