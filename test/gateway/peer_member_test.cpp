// Who says who has sent a request: the gateway, and no client.

#include "gateway/peer_member.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using partyline::json_text;
using partyline::json_view;

namespace {

bool is_refused(const std::string& params)
{
    return gateway::has_peer_member(json_view::checked(params));
}

std::string sent(const std::string& params)
{
    partyline::peer_identity peer;
    peer.principal = "al\"ice";
    peer.source = "token";
    peer.scopes = {"files:read", "files:write"};
    return gateway::with_peer(json_text(params), peer).text();
}

#define WHO R"("partyline/peer":{"principal":"al\"ice","source":"token","scopes":["files:read","files:write"]})"

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_peer_member)

BOOST_AUTO_TEST_CASE(a_client_can_not_say_who_it_is_however_that_is_spelled)
{
    for (const char* const params :
         {R"({"_meta":{"partyline/peer":{"principal":"root"}}})", R"({"_meta":{"partyline/peer":null}})",
          R"({"_meta":{"partyline\/peer":1}})", R"({"_meta":{"\u0070artyline/peer":1}})",
          R"({"_meta":{"partyline\u002fpeer":1}})", R"({"_meta":{"partyline\u002Fpeer":1}})",
          R"({"_meta":{"\u0050artyline/peer":1}})", R"({"a":"\u00e4\u4e2d","_\u006deta":{"partyline/peer":1}})",
          R"({"\u005fmeta":{"partyline/peer":1}})", R"({"_meta":{"Partyline/PEER":1}})",
          R"({"_META":{"partyline/peer":1}})", R"({"_meta":{"partyline/peer":1},"_meta":{}})",
          R"({"_meta":{},"_meta":{"partyline/peer":1}})",
          R"({ "a" : "/" , "_meta" : { "b":2, "partyline/peer" : 1 } })"})
        BOOST_TEST(is_refused(params), params);
}

BOOST_AUTO_TEST_CASE(what_is_no_such_member_passes)
{
    for (const char* const params :
         {"", "{}", R"({"_meta":{}})", R"(["partyline/peer"])", R"({"_meta":"partyline/peer"})",
          R"({"_meta":{"a":"partyline/peer"}})", R"({"partyline/peer":1})", R"({"arguments":{"partyline/peer":1}})",
          R"({"_meta":{"a":{"partyline/peer":1}}})", R"({"_meta":{"partyline/peers":1}})", R"({"a":"\u0070/peer"})"})
        BOOST_TEST(!is_refused(params), params);
}

BOOST_AUTO_TEST_CASE(a_request_gets_one_more_member_and_keeps_its_bytes)
{
    BOOST_TEST(sent("") == "{\"_meta\":{" WHO "}}");
    BOOST_TEST(sent("{}") == "{\"_meta\":{" WHO "}}");
    BOOST_TEST(sent("{ }") == "{\"_meta\":{" WHO "} }");
    BOOST_TEST(sent(R"({ "a":1.0 })") == "{\"_meta\":{" WHO R"(}, "a":1.0 })");
    BOOST_TEST(sent(R"({"a" : 1e2,"_meta":{}, "b":"\u0041"})") == R"({"a" : 1e2,"_meta":{)" WHO R"(}, "b":"\u0041"})");
    BOOST_TEST(sent(R"({"_meta":{"t": 1}})") == "{\"_meta\":{" WHO R"(,"t": 1}})");
}

BOOST_AUTO_TEST_CASE(params_that_can_not_say_it_are_refused)
{
    for (const char* const params :
         {"[1]", R"({"_meta":1})", R"({"_meta":{},"_meta":{}})", R"({"_Meta":{}})", R"({"_meta":{},"_META":{}})"})
        BOOST_CHECK_EXCEPTION(sent(params), partyline::rpc_error,
                              [](const auto& e) { return e.error().code == partyline::error_codes::invalid_params; });
}

BOOST_AUTO_TEST_SUITE_END()
