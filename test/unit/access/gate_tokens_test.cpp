#include "access/gate_core.hpp"
#include "access/jwt/signature_quota.hpp"
#include "gate_fixture.hpp"
#include "jwt/jwt_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>
#include <vector>

using namespace partyline::access;
using namespace std::chrono_literals;
using partyline::access_answer;
using partyline::authentication;
using partyline::authentication_outcome;
using partyline::peer_identity;
using partyline::test::good_claims;
using partyline::test::key_of;
using partyline::test::noon;

namespace {

/// Knows tokens that begin with "key", and counts how often it is asked.
struct key_store final : authenticator {
    std::optional<peer_identity> check(std::string_view token, time_point) noexcept override
    {
        ++asked;
        if (!token.starts_with("key"))
            return std::nullopt;
        return answer;
    }
    static peer_identity named(const char* principal, const char* source)
    {
        peer_identity made;
        made.principal = principal;
        made.source = source;
        made.scopes = {"b", "a"};
        return made;
    }
    peer_identity answer = named("dora", "store");
    int asked = 0;
};

struct store_gate : gate_fixture {
    store_gate() : gate_fixture(R"({"implies": {"a": ["c"]}, "rules": [{"methods": ["m"], "scopes": ["c"]}]})")
    {
        tested.add(store);
        tested.log_to([this](std::string_view line) { lines.emplace_back(line); });
    }

    static peer_identity from(const char* address)
    {
        peer_identity made;
        made.address.emplace(boost::asio::ip::make_address(address), std::uint16_t(5));
        return made;
    }

    std::shared_ptr<key_store> store = std::make_shared<key_store>();
    std::vector<std::string> lines;
};

/// A gate with one issuer, whose keys are in a file beside.
struct issuer_gate : gate_fixture {
    issuer_gate() : gate_fixture("{}")
    {
        write_keys({key_of("ES256").jwk()});
        reload(text());
        now = noon;
    }

    void write_keys(std::initializer_list<std::string> keys) const
    {
        const std::string path = file.path() + ".keys";
        std::ofstream(path) << partyline::test::jwks(keys);
        std::filesystem::permissions(path, std::filesystem::perms(0600));
    }

    static std::string text(const char* audience = "https://rpc.example.org/mcp", const char* more = "")
    {
        return std::string(R"({"resource": "https://rpc.example.org/mcp", "issuers": [{"issuer":
            "https://as.example.org", "audiences": [")") +
               audience + R"("], "jwks_file": "access.json.keys"}],
            "rules": [{"methods": ["m"]})" +
               more + "]}";
    }

    const std::string token = key_of("ES256").token(good_claims());
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gate_authenticator_suite, store_gate)

BOOST_AUTO_TEST_CASE(an_authenticator_is_asked_once_in_five_minutes)
{
    const authentication first = show("key1");
    BOOST_TEST_REQUIRE(first.outcome == authentication_outcome::admitted);
    BOOST_TEST(first.grant->peer->source == "store");
    BOOST_TEST(first.grant->peer->scopes == (std::vector<std::string>{"a", "b", "c"}),
               boost::test_tools::per_element());
    BOOST_TEST(first.grant->view->judge("m", {}).is == access_answer::allowed);
    now += 5min - 1ns;
    BOOST_TEST((show("key1").grant == first.grant));
    BOOST_TEST(store->asked == 1);
    now += 1ns;
    BOOST_TEST((show("key1").grant == first.grant)); // nothing has changed
    BOOST_TEST(store->asked == 2);
}

BOOST_AUTO_TEST_CASE(what_an_authenticator_changes_its_mind_about_is_another_grant)
{
    const authentication first = show("key1");
    store->answer.scopes = {"b"};
    now += 5min;
    const authentication second = show("key1");
    BOOST_TEST_REQUIRE(second.outcome == authentication_outcome::admitted);
    BOOST_TEST((second.grant != first.grant));
    BOOST_TEST(second.grant->view->judge("m", {}).is == access_answer::lacks_scope);
    BOOST_TEST((tested.renew(first.grant, now).grant == first.grant)); // the file has not changed
}

// Conversations that last are renewed without their tokens.
BOOST_AUTO_TEST_CASE(a_token_that_its_authenticator_has_revoked_stays_so_whatever_is_renewed)
{
    const authentication found = show("key1");
    for (const bool is_known : {true, false}) {
        store->answer.principal = is_known ? "dora" : "";
        tested.reload();
        BOOST_TEST((tested.renew(found.grant, now).grant == found.grant));
        BOOST_TEST(
            (show("key1").outcome == (is_known ? authentication_outcome::admitted : authentication_outcome::invalid)));
    }
    tested.reload();
    BOOST_TEST((tested.renew(found.grant, now).grant == found.grant));
    BOOST_TEST(show("key1").outcome == authentication_outcome::invalid);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_asked_for_once_in_ten_seconds)
{
    BOOST_TEST(show("bad").outcome == authentication_outcome::invalid);
    now += 10s - 1ns;
    BOOST_TEST(show("bad").outcome == authentication_outcome::invalid);
    BOOST_TEST(store->asked == 1);
    now += 1ns;
    BOOST_TEST(show("bad").outcome == authentication_outcome::invalid);
    BOOST_TEST(store->asked == 2);
}

BOOST_AUTO_TEST_CASE(a_peer_whose_name_could_be_taken_for_another_is_refused)
{
    for (const auto& [principal, source] :
         {std::pair("", "store"), std::pair("a", ""), std::pair("a\nb", "store"), std::pair("a", "store\nb")}) {
        store->answer = key_store::named(principal, source);
        BOOST_TEST(show("key" + std::to_string(lines.size())).outcome == authentication_outcome::invalid);
    }
    store->answer = key_store::named("a", "store");
    store->answer.scopes = {"with space"};
    BOOST_TEST(show("key").outcome == authentication_outcome::invalid);
    BOOST_TEST(lines.at(0) ==
               "an authenticator names a peer whose principal, source or scopes are none; its token is refused");
}

BOOST_AUTO_TEST_CASE(a_peer_that_an_authenticator_knew_has_expired)
{
    store->answer.until = now;
    BOOST_TEST(show("key1").outcome == authentication_outcome::expired);
    store->answer.until = now + 1s;
    const authentication found = show("key1");
    BOOST_TEST(found.outcome == authentication_outcome::admitted);
    BOOST_TEST(tested.renew(found.grant, now + 1s).outcome == authentication_outcome::expired);
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(an_address_with_twenty_refusals_is_throttled_unread_but_for_known_tokens)
{
    const peer_identity bad = from("192.0.2.1");
    BOOST_TEST(show("key1").outcome == authentication_outcome::admitted);
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(show("bad" + std::to_string(i), bad).outcome == authentication_outcome::invalid);
    const int asked = store->asked;
    BOOST_TEST(show("bad99", bad).outcome == authentication_outcome::throttled);
    BOOST_TEST(show("key2", bad).outcome == authentication_outcome::throttled);
    BOOST_TEST(tested.authenticate(bad, "Basic x", now).outcome == authentication_outcome::throttled);
    BOOST_TEST(store->asked == asked);
    BOOST_TEST(show("key1", bad).outcome == authentication_outcome::admitted);
    BOOST_TEST(show("key2", from("192.0.2.2")).outcome == authentication_outcome::admitted);
    BOOST_TEST(tested.authenticate(bad, {}, now).outcome == authentication_outcome::missing);
    now += 10s;
    BOOST_TEST(show("bad99", bad).outcome == authentication_outcome::invalid);
}

BOOST_AUTO_TEST_CASE(malformed_credentials_count_as_refusals)
{
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(tested.authenticate(from("192.0.2.1"), "Basic x", now).outcome == authentication_outcome::malformed);
    BOOST_TEST(tested.authenticate(from("192.0.2.1"), "Basic x", now).outcome == authentication_outcome::throttled);
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(clients_of_a_proxy_on_this_machine_lock_nobody_out)
{
    const peer_identity proxied = from("127.0.0.1");
    for (int i = 0; i < 100; ++i)
        BOOST_TEST(show("bad" + std::to_string(i), proxied).outcome == authentication_outcome::invalid);
    BOOST_TEST(show("key1", proxied).outcome == authentication_outcome::admitted);
}

BOOST_AUTO_TEST_CASE(whatever_a_log_throws_admits_nobody)
{
    tested.log_to([](std::string_view) { throw 1; });
    BOOST_TEST(show("bad").outcome == authentication_outcome::unavailable);
}

// rule: security.access.tokens
BOOST_AUTO_TEST_CASE(what_is_logged_shows_no_token)
{
    show("a-secret-of-somebody", from("192.0.2.1"));
    show("key-that-is-good");
    tested.authenticate({}, "Basic a-secret-of-somebody", now);
    BOOST_TEST_REQUIRE(lines.size() == 1u);
    BOOST_TEST(lines[0] ==
               "refused token " + sha256("a-secret-of-somebody").substr(0, 8) + " from 192.0.2.1: it is not valid");
    tested.log_to({});
    now += 1min;
    show("a-secret-of-somebody");
    BOOST_TEST(lines.size() == 1u);
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(twenty_thousand_bad_tokens_leave_bounded_tables)
{
    const auto core = std::make_shared<gate_core>(file.path());
    for (int i = 0; i < 20'000; ++i) {
        peer_identity peer;
        peer.address = {boost::asio::ip::address_v4(static_cast<unsigned>(i)), 1};
        core->authenticate(peer, bearer("bad" + std::to_string(i)), now);
    }
    BOOST_TEST(core->known_grants() == 0u);
    BOOST_TEST(core->known_refusals() == refusal_book::max_tokens);
    BOOST_TEST(core->known_addresses() == failure_book::max_addresses);
    BOOST_TEST(core->known_quotas() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(gate_issuer_suite, issuer_gate)

BOOST_AUTO_TEST_CASE(a_token_of_an_issuer_is_a_peer)
{
    const authentication found = show(token);
    BOOST_TEST_REQUIRE(found.outcome == authentication_outcome::admitted);
    BOOST_TEST(found.grant->peer->source == "https://as.example.org");
    BOOST_TEST(found.grant->view->judge("m", {}).is == access_answer::allowed);
    BOOST_TEST((show(token).grant == found.grant));
    now += 5min; // verified again
    BOOST_TEST((show(token).grant == found.grant));
}

BOOST_AUTO_TEST_CASE(a_foreign_audience_is_told)
{
    reload(text("https://other.example.org"));
    BOOST_TEST(show(token).outcome == authentication_outcome::wrong_audience);
    BOOST_TEST(show(token).outcome == authentication_outcome::wrong_audience); // remembered
}

BOOST_AUTO_TEST_CASE(a_peer_of_an_issuer_stays_while_the_issuer_is_the_same)
{
    const authentication found = show(token);
    reload(text("https://rpc.example.org/mcp", R"(, {"methods": ["n"]})"));
    const authentication renewed = tested.renew(found.grant, now);
    BOOST_TEST_REQUIRE(renewed.outcome == authentication_outcome::admitted);
    BOOST_TEST((renewed.grant != found.grant));
    BOOST_TEST(renewed.grant->view->judge("n", {}).is == access_answer::allowed);
    BOOST_TEST((show(token).grant == renewed.grant));
    reload(text("https://other.example.org"));
    BOOST_TEST(tested.renew(renewed.grant, now).outcome == authentication_outcome::invalid);
}

// rule: security.access.end
BOOST_AUTO_TEST_CASE(a_peer_of_an_issuer_goes_with_the_key_of_its_token)
{
    const authentication found = show(token);
    write_keys({key_of("RS256").jwk(), key_of("ES256").jwk()});
    reload(text());
    BOOST_TEST((tested.renew(found.grant, now).grant == found.grant));
    write_keys({key_of("RS256").jwk()});
    BOOST_TEST((tested.renew(found.grant, now).grant == found.grant)); // it is not read yet
    reload(text());
    BOOST_TEST(tested.renew(found.grant, now).outcome == authentication_outcome::invalid);
    BOOST_TEST(show(token).outcome == authentication_outcome::invalid);
}

BOOST_AUTO_TEST_CASE(a_token_is_admitted_as_soon_as_the_file_allows_it)
{
    reload("{}");
    BOOST_TEST(show(token).outcome == authentication_outcome::invalid);
    reload(text());
    BOOST_TEST(show(token).outcome == authentication_outcome::admitted);
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(a_token_that_was_admitted_is_verified_again_whatever_strangers_do)
{
    peer_identity proxy;
    proxy.address.emplace(boost::asio::ip::make_address("192.0.2.1"), std::uint16_t(5));
    BOOST_TEST(show(token, proxy).outcome == authentication_outcome::admitted);
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(show("bad" + std::to_string(i), proxy).outcome == authentication_outcome::invalid);
    while (signature_quota::of_process().take(now)) {
    }
    reload(text());
    BOOST_TEST(show(token, proxy).outcome == authentication_outcome::admitted);
    const std::string other = key_of("ES256").token(good_claims(R"(,"jti":"2")"));
    BOOST_TEST(show(other).outcome == authentication_outcome::unavailable);
    BOOST_TEST(show(other, proxy).outcome == authentication_outcome::throttled);
    signature_quota::of_process().take(now - 1h); // others have theirs
}

BOOST_AUTO_TEST_CASE(the_issuers_are_named_to_clients)
{
    BOOST_TEST(tested.resource()->authorization_servers == std::vector<std::string>{"https://as.example.org"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(keys_that_are_not_there_yet_make_a_token_unavailable)
{
    reload(R"({"issuers": [{"issuer": "https://as.example.org", "audiences": ["https://rpc.example.org/mcp"],
               "jwks_uri": "https://as.example.org/keys"}]})");
    BOOST_TEST(show(token).outcome == authentication_outcome::unavailable);
    partyline::document_receiver done;
    tested.fetch_by([&](const partyline::document_request& wanted, partyline::document_receiver receiver) {
        BOOST_TEST(wanted.url == "https://as.example.org/keys");
        done = std::move(receiver);
    });
    show(token);
    BOOST_TEST_REQUIRE(bool(done));
    done(partyline::test::jwks({key_of("ES256").jwk()}), {});
    BOOST_TEST(show(token).outcome == authentication_outcome::admitted);
}

BOOST_AUTO_TEST_SUITE_END()
