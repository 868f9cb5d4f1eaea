#include "access/jwt/issuers.hpp"
#include "jwt/jwt_fixture.hpp"
#include "protocol/json/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <openssl/evp.h>
#include <openssl/hmac.h>

using partyline::encode_base64url;
using partyline::access::claim_rules;
using partyline::access::issuer_services;
using partyline::access::issuer_settings;
using partyline::access::issuers;
using partyline::access::read_key_set;
using namespace partyline::test;
using namespace std::chrono_literals;

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

// RFC 9864 §2.2: EdDSA says nothing of the curve, which is that of the key.
BOOST_AUTO_TEST_CASE(Ed25519_has_two_names)
{
    const jwt_signer& key = key_of("EdDSA");
    for (const std::string named : {"", R"(,"alg":"EdDSA")", R"(,"alg":"Ed25519")"})
        for (const std::string header : {R"({"alg":"EdDSA","kid":"k1"})", R"({"alg":"Ed25519","kid":"k1"})"})
            BOOST_TEST(one_issuer(jwks({key.jwk(named)})).judge(key.token(header, good_claims())) == "admitted");
    const one_issuer other(jwks({key_of("ES256").jwk()}));
    BOOST_TEST(other.judge(key.token(R"({"alg":"Ed25519","kid":"k1"})", good_claims())) == "invalid");
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

BOOST_AUTO_TEST_CASE(a_token_of_nobody_known_is_nobodys)
{
    const jwt_signer& key = key_of("ES256");
    const one_issuer issuer(jwks({key.jwk()}));
    BOOST_TEST(issuer.judge("") == "nobody's");
    BOOST_TEST(issuer.judge("not.a.token") == "nobody's");
    BOOST_TEST(issuer.judge(std::string(std::size_t(1) << 20, 'A')) == "nobody's");
    BOOST_TEST(issuer.judge(key.token(claims_without("iss"))) == "nobody's");
    BOOST_TEST(issuer.judge(key.token(claims_without("iss", R"(,"iss":"https://elsewhere")"))) == "nobody's");
    BOOST_TEST(!issuers().verify(key.token(good_claims()), noon));
}

BOOST_AUTO_TEST_CASE(each_part_that_was_changed_is_noticed)
{
    for (const std::string& algorithm : algorithms) {
        const jwt_signer& key = key_of(algorithm);
        const one_issuer issuer(jwks({key.jwk()}));
        const std::string good = key.token(good_claims());
        for (std::size_t at = 0; at < good.size(); at += 7) {
            std::string bad = good;
            bad[at] = bad[at] == 'A' ? 'Q' : 'A';
            if (bad != good)
                BOOST_TEST(issuer.judge(bad) != "admitted", algorithm << " at " << at);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_key_of_another_issuer_signs_nothing)
{
    for (const std::string algorithm : {"PS256", "ES256", "ES384", "EdDSA"}) {
        const jwt_signer stranger(algorithm);
        BOOST_TEST(one_issuer(jwks({key_of(algorithm).jwk()})).judge(stranger.token(good_claims())) == "invalid");
    }
}

// The issuer's key is public: who takes it for a secret admits everybody.
BOOST_AUTO_TEST_CASE(HS256_with_the_public_key_is_refused)
{
    const jwt_signer& key = key_of("RS256");
    const one_issuer issuer(jwks({key.jwk()}));
    for (const std::string& secret : {key.pem(), key.jwk(), std::string()}) {
        const std::string text =
            encode_base64url(R"({"alg":"HS256","kid":"k1"})") + '.' + encode_base64url(good_claims());
        unsigned char code[32];
        unsigned size = 0;
        HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), code, &size);
        const std::string signature(reinterpret_cast<const char*>(code), size);
        BOOST_TEST(issuer.judge(text + '.' + encode_base64url(signature)) == "nobody's");
    }
}

BOOST_AUTO_TEST_CASE(a_symmetric_key_in_the_set_verifies_nothing)
{
    const std::string oct = R"({"kty":"oct","kid":"k2","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})";
    const jwt_signer& key = key_of("ES256");
    const one_issuer issuer(jwks({key.jwk(), oct}));
    BOOST_TEST(issuer.judge(key.token(R"({"alg":"HS256","kid":"k2"})", good_claims())) == "nobody's");
    BOOST_TEST(issuer.judge(key.token(R"({"alg":"ES256","kid":"k2"})", good_claims())) == "invalid");
}

BOOST_AUTO_TEST_CASE(unsigned_tokens_are_refused)
{
    const one_issuer issuer(jwks({key_of("ES256").jwk()}));
    for (const char* const algorithm : {"none", "None", "NONE", "ES256"}) {
        const std::string header = R"({"alg":")" + std::string(algorithm) + R"(","kid":"k1"})";
        const std::string text = encode_base64url(header) + '.' + encode_base64url(good_claims());
        BOOST_TEST(issuer.judge(text + '.') == "nobody's");
        BOOST_TEST(issuer.judge(text) == "nobody's");
        BOOST_TEST(issuer.judge(text + ".AAAA") != "admitted");
    }
}

BOOST_AUTO_TEST_CASE(the_algorithm_is_that_of_the_key)
{
    const jwt_signer& rsa = key_of("RS256");
    const jwt_signer& curve = key_of("ES256");
    const one_issuer issuer(jwks({curve.jwk()}));
    BOOST_TEST(issuer.judge(rsa.token(good_claims())) == "invalid");
    BOOST_TEST(issuer.judge(curve.token(R"({"alg":"ES384","kid":"k1"})", good_claims())) == "invalid");
    BOOST_TEST(issuer.judge(curve.token(R"({"alg":"EdDSA","kid":"k1"})", good_claims())) == "invalid");
    const one_issuer pss(jwks({rsa.jwk(R"(,"alg":"PS256")")}));
    BOOST_TEST(pss.judge(rsa.token(good_claims())) == "invalid");
    const one_issuer both(jwks({rsa.jwk()}));
    BOOST_TEST(both.judge(rsa.token(R"({"alg":"PS256","kid":"k1"})", good_claims())) == "invalid"); // signed by RS256
}

BOOST_AUTO_TEST_CASE(keys_in_the_header_and_their_addresses_are_not_looked_at)
{
    const jwt_signer stranger("ES256");
    const jwt_signer& key = key_of("ES256");
    const one_issuer issuer(jwks({key.jwk()}));
    for (const std::string& more :
         {R"(,"jwk":)" + stranger.jwk(), std::string(R"(,"jku":"https://evil.example/keys")"),
          std::string(R"(,"x5u":"https://evil.example/chain")"), std::string(R"(,"x5c":["MIIB"],"x5t":"AAAA")")}) {
        const std::string header = R"({"alg":"ES256","kid":"k1")" + more + '}';
        BOOST_TEST(issuer.judge(stranger.token(header, good_claims())) == "invalid", more);
        BOOST_TEST(issuer.judge(key.token(header, good_claims())) == "admitted", more);
    }
}

BOOST_AUTO_TEST_CASE(ids_that_no_key_has_are_refused)
{
    const jwt_signer& key = key_of("ES256");
    const one_issuer issuer(jwks({key.jwk(), key_of("ES384").jwk()}));
    for (const std::string& id :
         {std::string("k9"), std::string("../k1"), std::string("../../../../dev/null"), std::string("k1\\u0000"),
          std::string(), std::string(1024, 'k'), std::string("' OR 1=1")})
        BOOST_TEST(issuer.judge(key.token(R"({"alg":"ES256","kid":")" + id + R"("})", good_claims())) == "invalid", id);
    BOOST_TEST(issuer.judge(key.token(R"({"alg":"ES256"})", good_claims())) == "invalid"); // needed: there are two
    BOOST_TEST(one_issuer(jwks({key.jwk()})).judge(key.token(R"({"alg":"ES256"})", good_claims())) == "admitted");
}

BOOST_AUTO_TEST_CASE(signatures_of_ECDSA_have_one_form)
{
    for (const std::string algorithm : {"ES256", "ES384"}) {
        const jwt_signer& key = key_of(algorithm);
        const one_issuer issuer(jwks({key.jwk()}));
        const std::string text = encode_base64url(key.header()) + '.' + encode_base64url(good_claims());
        const std::string good = key.sign(text);
        const std::size_t half = good.size() / 2;
        const std::string zero(half, '\0');
        const std::string most(half, '\xFF');
        const auto judge = [&](const std::string& signature) {
            return issuer.judge(text + '.' + encode_base64url(signature));
        };
        BOOST_TEST(judge(good) == "admitted");
        for (const std::string& bad :
             {zero + zero, zero + good.substr(half), good.substr(0, half) + zero, most + most, most + good.substr(half),
              good.substr(0, half) + most, good.substr(half) + good.substr(0, half), good + '\0', '\0' + good,
              good.substr(1), good.substr(0, good.size() - 1), key.sign_as_der(text),
              '\0' + good.substr(0, half) + '\0' + good.substr(half), good + good})
            BOOST_TEST(judge(bad) == "invalid", algorithm);
    }
}

// A signature's second half is a number below the order of the group: the same with the order added is no other one.
BOOST_AUTO_TEST_CASE(signatures_of_Ed25519_have_one_form)
{
    const jwt_signer& key = key_of("EdDSA");
    const one_issuer issuer(jwks({key.jwk()}));
    const std::string text = encode_base64url(key.header()) + '.' + encode_base64url(good_claims());
    const std::string good = key.sign(text);
    constexpr std::string_view order = "\xed\xd3\xf5\x5c\x1a\x63\x12\x58\xd6\x9c\xf7\xa2\xde\xf9\xde\x14";
    std::string bad = good;
    unsigned carry = 0;
    for (std::size_t i = 0; i != 32; ++i) {
        const unsigned digit = i < order.size() ? static_cast<unsigned char>(order[i]) : (i == 31 ? 0x10 : 0);
        carry += static_cast<unsigned char>(good[32 + i]) + digit;
        bad[32 + i] = static_cast<char>(carry & 0xFF);
        carry >>= 8;
    }
    BOOST_TEST(issuer.judge(text + '.' + encode_base64url(good)) == "admitted");
    BOOST_TEST(issuer.judge(text + '.' + encode_base64url(bad)) == "invalid");
    BOOST_TEST(issuer.judge(text + '.' + encode_base64url(std::string(64, '\0'))) == "invalid");
    BOOST_TEST(issuer.judge(text + '.' + encode_base64url(good + '\0')) == "invalid");
}

BOOST_AUTO_TEST_CASE(what_is_appended_to_a_token_is_noticed)
{
    const jwt_signer& key = key_of("RS256");
    const one_issuer issuer(jwks({key.jwk()}));
    const std::string good = key.token(good_claims());
    for (const char* const more : {"=", "==", ".", ".x", " ", "\n", "A", "AAAA"})
        BOOST_TEST(issuer.judge(good + more) != "admitted", more);
    BOOST_TEST(issuer.judge(' ' + good) != "admitted");
}

BOOST_AUTO_TEST_CASE(an_end_and_an_audience_are_told_of_genuine_tokens_only)
{
    const jwt_signer& key = key_of("ES256");
    const jwt_signer stranger("ES256");
    const one_issuer issuer(jwks({key.jwk()}));
    const std::string expired = claims_without("exp", R"(,"exp":1799990000)");
    const std::string elsewhere = claims_without("aud", R"(,"aud":"https://elsewhere")");
    BOOST_TEST(issuer.judge(key.token(expired)) == "expired");
    BOOST_TEST(issuer.judge(key.token(elsewhere)) == "wrong audience");
    BOOST_TEST(issuer.judge(stranger.token(expired)) == "invalid");
    BOOST_TEST(issuer.judge(stranger.token(elsewhere)) == "invalid");
}

BOOST_AUTO_TEST_CASE(a_claim_twice_is_refused)
{
    const jwt_signer& key = key_of("ES256");
    const one_issuer issuer(jwks({key.jwk()}));
    BOOST_TEST(issuer.judge(key.token(good_claims(R"(,"sub":"alice")"))) == "nobody's");
    BOOST_TEST(issuer.judge(key.token(good_claims(R"(,"\u0069ss":"https://as.example.org")"))) == "nobody's");
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(a_thousand_signatures_are_verified_in_a_second)
{
    const jwt_signer& key = key_of("RS256");
    const one_issuer issuer(jwks({key.jwk()}));
    const std::string good = key.token(good_claims());
    std::string bad = good;
    bad[good.size() - 10] = bad[good.size() - 10] == 'A' ? 'B' : 'A';
    for (int i = 0; i != 1000; ++i)
        BOOST_REQUIRE(issuer.judge(bad, noon + i * 1ms) == "invalid");
    const auto then = noon + 999ms;
    for (int i = 0; i != 99; ++i) // what is left of the burst
        BOOST_REQUIRE(issuer.judge(bad, then) == "invalid");
    BOOST_TEST(issuer.judge(good, then) == "unavailable");
    const std::string by_nobody = key.token(R"({"alg":"RS256","kid":"k9"})", good_claims());
    BOOST_TEST(issuer.judge(by_nobody, then) == "invalid"); // takes none
    const auto again = issuer.all.verify(good, then, partyline::access::token_history::admitted);
    BOOST_TEST((again && again->outcome == partyline::authentication_outcome::admitted));
    BOOST_TEST(issuer.judge(good, then + 2ms) == "admitted");
}

BOOST_AUTO_TEST_CASE(the_issuer_that_a_token_names_judges_it)
{
    const jwt_signer& first = key_of("ES256");
    const jwt_signer& second = key_of("ES384");
    const auto settings = [](std::string name, std::string prefix, const jwt_signer& key) {
        issuer_settings one;
        one.claims = our_rules();
        one.claims.issuer = std::move(name);
        one.claims.prefix = std::move(prefix);
        one.keys = read_key_set(jwks({key.jwk()})).keys;
        return one;
    };
    const issuers all({settings("https://a", "a:", first), settings("https://b", "b:", second)},
                      std::make_shared<issuer_services>(), nullptr);
    const std::string by_b = claims_without("iss", R"(,"iss":"https://b")");
    BOOST_TEST(all.verify(second.token(by_b), noon)->peer.principal == "b:alice");
    BOOST_CHECK(all.verify(first.token(by_b), noon)->outcome == partyline::authentication_outcome::invalid);
}

BOOST_AUTO_TEST_SUITE_END()
