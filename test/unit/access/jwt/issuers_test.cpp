#include "access/jwt/issuers.hpp"
#include "jwt/jwt_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using partyline::access::claim_rules;
using partyline::test::claims_without;
using partyline::test::good_claims;
using partyline::test::jwks;
using partyline::test::jwt_signer;
using partyline::test::key_of;
using partyline::test::noon;
using partyline::test::one_issuer;
using partyline::test::our_rules;

namespace {

const std::vector<std::string> algorithms = {"RS256", "PS256", "ES256", "ES384", "EdDSA"};

} // namespace

BOOST_AUTO_TEST_SUITE(issuers_and_tokens, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_good_token_of_each_algorithm_is_admitted)
{
    for (const std::string& algorithm : algorithms) {
        BOOST_TEST_CONTEXT(algorithm)
        {
            const jwt_signer& key = key_of(algorithm);
            BOOST_TEST(one_issuer(jwks({key.jwk()})).judge(key.token(good_claims())) == "admitted");
        }
    }
}

BOOST_AUTO_TEST_CASE(the_peer_of_a_token_has_its_principal_source_scopes_and_end)
{
    const jwt_signer& key = key_of("ES256");
    claim_rules rules = our_rules();
    rules.prefix = "as:";
    const one_issuer issuer(jwks({key.jwk()}), rules);
    const auto verdict = issuer.all.verify(key.token(good_claims()), noon);
    BOOST_REQUIRE(verdict);
    BOOST_TEST(verdict->peer.principal == "as:alice");
    BOOST_TEST(verdict->peer.source == "https://as.example.org");
    BOOST_TEST(verdict->peer.scopes == (std::vector<std::string>{"files:read", "files:write"}));
    BOOST_REQUIRE(verdict->peer.until);
    BOOST_CHECK(*verdict->peer.until == noon + std::chrono::seconds(300 + 60));
}

BOOST_AUTO_TEST_SUITE_END()
