#include "gate_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline::access;
using partyline::access_answer;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::peer_identity;

namespace {

// The tokens are "good", "old" (until noon of that day) and "other".
const std::string file_text = R"({
  "resource": "https://rpc.example.org/mcp",
  "tokens": [
    { "sha256": ")" + gate_fixture::sha256("good") +
                              R"(", "principal": "ci", "scopes": ["build", "files:write"] },
    { "sha256": ")" + gate_fixture::sha256("old") +
                              R"(", "principal": "ci", "scopes": ["build"], "until": "2026-11-27T12:00:00Z" },
    { "sha256": ")" + gate_fixture::sha256("other") +
                              R"(", "principal": "bob" } ],
  "certificates": [ { "subject": "CN=agent-7,O=Example", "principal": "agent-7", "scopes": ["files:read"] } ],
  "users": [ { "uid": 1000, "principal": "local", "scopes": ["files:write"] } ],
  "implies": { "files:write": ["files:read"] },
  "rules": [
    { "methods": ["echo", "rpc.discover"] },
    { "tools": ["read_file", "list_*"], "scopes": ["files:read"] },
    { "tools": ["delete_*"], "scopes": ["files:write"], "principals": ["alice", "ci"] },
    { "resources": ["file:///srv/*"], "prompts": ["*"], "scopes": ["files:read"] } ],
  "limits": [ { "principals": ["*"], "requests_per_second": 100, "burst": 200, "at_once": 64 } ] })";

struct file_gate : gate_fixture {
    file_gate() : gate_fixture(file_text) {}
};

peer_identity from_user(::uid_t uid)
{
    peer_identity from;
    from.local = peer_identity::credentials{1, uid, 1};
    return from;
}

peer_identity from_certificate(const std::string& subject)
{
    peer_identity from;
    from.principal = subject;
    return from;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(gate_suite, file_gate)

BOOST_AUTO_TEST_CASE(a_token_of_the_file_is_a_peer_with_its_scopes_and_what_they_imply)
{
    const authentication found = show("good");
    BOOST_TEST_REQUIRE(found.outcome == authentication_outcome::admitted);
    BOOST_TEST(found.grant->peer->principal == "ci");
    BOOST_TEST(found.grant->peer->source == "token");
    BOOST_TEST(found.grant->peer->scopes == (std::vector<std::string>{"build", "files:read", "files:write"}),
               boost::test_tools::per_element());
    BOOST_TEST(!found.grant->peer->until);
    BOOST_TEST(found.grant->view->judge("tools/call", "delete_all").is == access_answer::allowed);
    BOOST_TEST(found.grant->quota->limits().burst == 200u);
    BOOST_TEST(show("good").grant == found.grant);
}

BOOST_AUTO_TEST_CASE(the_scheme_has_any_case_and_any_number_of_spaces)
{
    for (const char* const field : {"Bearer good", "bearer good", "BEARER   good"})
        BOOST_TEST((tested.authenticate({}, field, now).outcome == authentication_outcome::admitted), field);
}

BOOST_AUTO_TEST_CASE(what_is_not_one_bearer_token_is_malformed)
{
    const std::string fitting(8192, 'a');
    BOOST_TEST(show(fitting).outcome == authentication_outcome::invalid);
    for (const std::string& field :
         {std::string(), std::string("Bearer"), std::string("Bearer "), std::string("Bearer   "), std::string("good"),
          std::string("Basic Z29vZA=="), std::string("Bearer\tgood"), std::string("Bearer good, Bearer good"),
          std::string("Bearer good good"), std::string("Bearer good "),
          std::string("Bearer go\xc3\xb6"
                      "d"),
          std::string("Bearer =good"), std::string("Bearer go=od"), std::string("Bearer \"good\""),
          std::string("Bearer good\0", 12), "Bearer " + fitting + "a"})
        BOOST_TEST(tested.authenticate({}, field, now).outcome == authentication_outcome::malformed, field);
}

BOOST_AUTO_TEST_CASE(an_unknown_token_is_invalid_and_does_not_fall_back_on_the_connection)
{
    BOOST_TEST(show("bad").outcome == authentication_outcome::invalid);
    BOOST_TEST(show("bad", from_user(1000)).outcome == authentication_outcome::invalid);
    BOOST_TEST(show("bad").grant == nullptr);
}

BOOST_AUTO_TEST_CASE(a_token_ends_with_the_second_that_the_file_says)
{
    const auto noon = now + std::chrono::hours(12);
    now = noon - std::chrono::nanoseconds(1);
    const authentication found = show("old");
    BOOST_TEST_REQUIRE(found.outcome == authentication_outcome::admitted);
    BOOST_TEST((tested.renew(found.grant, now).grant == found.grant));
    BOOST_TEST(tested.renew(found.grant, noon).outcome == authentication_outcome::expired);
    now = noon;
    BOOST_TEST(show("old").outcome == authentication_outcome::expired);
    now -= std::chrono::hours(1); // the clock was set back
    BOOST_TEST(show("old").outcome == authentication_outcome::admitted);
}

BOOST_AUTO_TEST_CASE(certificates_and_users_are_peers_of_their_own)
{
    const authentication agent = tested.authenticate(from_certificate("CN=agent-7,O=Example"), {}, now);
    BOOST_TEST_REQUIRE(agent.outcome == authentication_outcome::admitted);
    BOOST_TEST(agent.grant->peer->principal == "agent-7");
    BOOST_TEST(agent.grant->peer->source == "certificate");
    const authentication user = tested.authenticate(from_user(1000), {}, now);
    BOOST_TEST_REQUIRE(user.outcome == authentication_outcome::admitted);
    BOOST_TEST(user.grant->peer->principal == "local");
    BOOST_TEST(user.grant->peer->source == "user");
    BOOST_TEST((tested.authenticate(from_user(1000), {}, now).grant == user.grant));
}

BOOST_AUTO_TEST_CASE(who_shows_nothing_that_the_file_knows_is_missing)
{
    BOOST_TEST(tested.authenticate({}, {}, now).outcome == authentication_outcome::missing);
    BOOST_TEST(tested.authenticate(from_user(1001), {}, now).outcome == authentication_outcome::missing);
    BOOST_TEST(tested.authenticate(from_certificate("CN=agent-8"), {}, now).outcome == authentication_outcome::missing);
    // The text of a certificate's digest is no token's.
    BOOST_TEST(show("certificate\nCN=agent-7,O=Example").outcome == authentication_outcome::malformed);
}

BOOST_AUTO_TEST_CASE(who_was_authenticated_otherwise_is_no_certificate)
{
    peer_identity from = from_certificate("CN=agent-7,O=Example");
    from.source = "proxy";
    BOOST_TEST(tested.authenticate(from, {}, now).outcome == authentication_outcome::missing);
    from.source = "certificate";
    BOOST_TEST(tested.authenticate(from, {}, now).outcome == authentication_outcome::admitted);
}

// rule: security.access.caller
BOOST_AUTO_TEST_CASE(a_token_counts_before_the_certificate_of_its_connection)
{
    BOOST_TEST(show("good", from_certificate("CN=agent-7,O=Example")).grant->peer->principal == "ci");
}

BOOST_AUTO_TEST_CASE(the_resource_names_scopes_of_rules_for_everybody)
{
    BOOST_TEST_REQUIRE(tested.resource());
    BOOST_TEST(tested.resource()->resource == "https://rpc.example.org/mcp");
    BOOST_TEST(tested.resource()->scopes_supported == std::vector<std::string>{"files:read"},
               boost::test_tools::per_element());
    reload("{}");
    BOOST_TEST(!tested.resource());
}

// Servers judge these by what they name, as `resources/read`, `prompts/get` or the entries of the list.
BOOST_AUTO_TEST_CASE(what_servers_judge_by_what_it_names_needs_no_rule)
{
    const authentication found = show("other");
    for (const char* const method : {"initialize", "tools/list", "resources/subscribe", "resources/unsubscribe",
                                     "subscriptions/listen", "completion/complete"})
        BOOST_TEST(found.grant->view->judge(method, {}).is == access_answer::allowed, method);
    BOOST_TEST(found.grant->view->judge("tools/call", {}).is == access_answer::hidden);
    BOOST_TEST(found.grant->view->judge("resources/read", {}).is == access_answer::hidden);
}

BOOST_AUTO_TEST_CASE(verdicts_are_explained_with_their_rule)
{
    const auto says = [&](const char* principal, std::vector<std::string> scopes, const char* method, const char* key) {
        peer_identity peer;
        peer.principal = principal;
        peer.scopes = std::move(scopes);
        return tested.explain(peer, method, key).text;
    };
    BOOST_TEST(says("alice", {"files:read"}, "tools/call", "delete_x") == "lacks scope files:write: rules[2]");
    BOOST_TEST(says("alice", {"files:write"}, "tools/call", "delete_x") == "allowed: rules[2]");
    BOOST_TEST(says("alice", {"files:write"}, "tools/call", "list_x") == "allowed: rules[1]");
    BOOST_TEST(says("bob", {"files:write"}, "tools/call", "delete_x") == "hidden: no rule fits");
    BOOST_TEST(says("bob", {}, "echo", "") == "allowed: rules[0]");
    BOOST_TEST(says("bob", {}, "ping", "") == "allowed: every peer may call it");
    BOOST_TEST(says("anonymous", {}, "echo", "") == "hidden: no rule fits");
    reload(R"({"rules": [{"tools": ["x"], "scopes": ["b", "a", "c"]}]})");
    BOOST_TEST(says("bob", {"b"}, "tools/call", "x") == "lacks scopes a, c: rules[0]");
    reload("{}");
    BOOST_TEST(says("bob", {}, "anything", "") == "allowed: the file has no rules");
}

BOOST_AUTO_TEST_SUITE_END()
