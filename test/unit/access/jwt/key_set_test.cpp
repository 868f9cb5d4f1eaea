#include "access/jwt/key_set.hpp"
#include "jwt/jwt_fixture.hpp"
#include "protocol/json/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include <openssl/err.h>

using partyline::encode_base64url;
using partyline::access::jwt_algorithm;
using partyline::access::key_set;
using partyline::access::key_set_reading;
using partyline::access::read_key_set;
using partyline::test::jwks;
using partyline::test::jwt_signer;
using partyline::test::key_of;

namespace {

std::size_t usable(const std::string& text)
{
    const key_set_reading read = read_key_set(text);
    return read.keys ? read.keys->size() : 0;
}

std::string rsa(const std::string& n, const std::string& e)
{
    return R"({"kty":"RSA","n":")" + encode_base64url(n) + R"(","e":")" + encode_base64url(e) + R"("})";
}

// An odd number of so many bytes, whose first bits are set.
std::string modulus(std::size_t bytes)
{
    return std::string(bytes, '\xFF');
}

std::string ec(const std::string& curve, const std::string& x, const std::string& y)
{
    return R"({"kty":"EC","crv":")" + curve + R"(","x":")" + encode_base64url(x) + R"(","y":")" + encode_base64url(y) +
           R"("})";
}

} // namespace

BOOST_AUTO_TEST_SUITE(sets_of_keys, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(keys_of_each_kind_are_read)
{
    BOOST_TEST(usable(jwks(
                   {key_of("RS256").jwk(), key_of("ES256").jwk(), key_of("ES384").jwk(), key_of("EdDSA").jwk()})) == 4);
}

BOOST_AUTO_TEST_CASE(a_key_signs_by_the_algorithms_of_its_kind)
{
    const auto find = [](const std::string& jwk, jwt_algorithm algorithm) {
        return read_key_set(jwks({jwk})).keys->find("k1", algorithm).key != nullptr;
    };
    const std::string rsa_key = key_of("RS256").jwk();
    BOOST_TEST(find(rsa_key, jwt_algorithm::rs256));
    BOOST_TEST(find(rsa_key, jwt_algorithm::ps256));
    BOOST_TEST(!find(rsa_key, jwt_algorithm::es256));
    BOOST_TEST(!find(key_of("RS256").jwk(R"(,"alg":"PS256")"), jwt_algorithm::rs256));
    BOOST_TEST(find(key_of("RS256").jwk(R"(,"alg":"PS256")"), jwt_algorithm::ps256));
    BOOST_TEST(find(key_of("ES256").jwk(), jwt_algorithm::es256));
    BOOST_TEST(!find(key_of("ES256").jwk(), jwt_algorithm::es384));
    BOOST_TEST(find(key_of("ES384").jwk(), jwt_algorithm::es384));
    BOOST_TEST(find(key_of("EdDSA").jwk(), jwt_algorithm::eddsa));
    BOOST_TEST(!find(key_of("EdDSA").jwk(), jwt_algorithm::rs256));
}

BOOST_AUTO_TEST_CASE(what_a_key_is_for_is_honoured)
{
    for (const char* const more : {R"(,"use":"sig")", R"(,"key_ops":["verify"])", R"(,"key_ops":["sign","verify"])",
                                   R"(,"alg":"ES256")", R"(,"use":"sig","key_ops":["verify"],"x5c":["MII"],"x5t":"a")"})
        BOOST_TEST(usable(jwks({key_of("ES256").jwk(more)})) == 1, more);
    for (const char* const more : {R"(,"use":"enc")", R"(,"use":null)", R"(,"key_ops":["encrypt"])", R"(,"key_ops":[])",
                                   R"(,"key_ops":"verify")", R"(,"alg":"RS256")", R"(,"alg":"ES384")",
                                   R"(,"alg":"ECDH-ES")", R"(,"alg":1)", R"(,"kid":"again")"})
        BOOST_TEST(usable(jwks({key_of("ES256").jwk(more)})) == 0, more);
}

BOOST_AUTO_TEST_CASE(keys_of_other_kinds_are_left_out)
{
    for (const char* const other :
         {R"({"kty":"oct","kid":"k1","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","alg":"HS256"})",
          R"({"kty":"OKP","crv":"X25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})",
          R"({"kty":"OKP","crv":"Ed448","x":"AAAA"})", R"({"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"})",
          R"({"kty":"EC","crv":"P-521","x":"AA","y":"AA"})", R"({"kty":"AKP","pub":"AA"})", R"({"kty":"rsa"})", "{}",
          "null", "[]", "1", R"("key")"}) {
        BOOST_TEST(usable(jwks({other})) == 0, other);
        BOOST_TEST(usable(jwks({other, key_of("ES256").jwk(), other})) == 1, other);
    }
}

BOOST_AUTO_TEST_CASE(weak_RSA_keys_are_left_out)
{
    for (const std::size_t bits : {512, 1024})
        BOOST_TEST(usable(jwks({jwt_signer("RS256", "k1", bits).jwk()})) == 0, bits);
    const std::string exponent("\1\0\1", 3);
    BOOST_TEST(usable(jwks({rsa(modulus(256), exponent)})) == 1);
    BOOST_TEST(usable(jwks({rsa(std::string(2, '\0') + modulus(256), exponent)})) == 1); // as some issuers write it
    BOOST_TEST(usable(jwks({rsa("\x7F" + modulus(255), exponent)})) == 0);               // 2047 bits
    BOOST_TEST(usable(jwks({rsa(std::string(300, '\0') + modulus(64), exponent)})) == 0);
    BOOST_TEST(usable(jwks({rsa(modulus(255) + "\xFE", exponent)})) == 0); // even
    BOOST_TEST(usable(jwks({rsa(modulus(1025), exponent)})) == 0);         // costs too much
    BOOST_TEST(usable(jwks({rsa("", exponent)})) == 0);
}

BOOST_AUTO_TEST_CASE(RSA_keys_with_other_exponents_are_left_out)
{
    for (const std::string_view good :
         {std::string_view("\3"), std::string_view("\1\0\1", 3), std::string_view("\0\3", 2)})
        BOOST_TEST(usable(jwks({rsa(modulus(256), std::string(good))})) == 1);
    for (const std::string_view bad :
         {std::string_view(""), std::string_view("\0", 1), std::string_view("\1"), std::string_view("\2"),
          std::string_view("\1\0\0", 3), std::string_view("\1\0\0\0\1", 5)})
        BOOST_TEST(usable(jwks({rsa(modulus(256), std::string(bad))})) == 0);
}

BOOST_AUTO_TEST_CASE(points_that_are_not_on_their_curve_are_left_out)
{
    BOOST_TEST(usable(jwks({ec("P-256", std::string(32, '\1'), std::string(32, '\2'))})) == 0);
    BOOST_TEST(usable(jwks({ec("P-256", std::string(32, '\0'), std::string(32, '\0'))})) == 0);
    BOOST_TEST(usable(jwks({ec("P-256", std::string(32, '\xFF'), std::string(32, '\xFF'))})) == 0);
    BOOST_TEST(usable(jwks({ec("P-256", std::string(31, '\1'), std::string(32, '\2'))})) == 0);
    std::string of_another = key_of("ES384").jwk();
    of_another.replace(of_another.find("P-384"), 5, "P-256");
    BOOST_TEST(usable(jwks({of_another})) == 0);
    BOOST_TEST(usable(jwks({R"({"kty":"OKP","crv":"Ed25519","x":"AAAA"})"})) == 0);
}

BOOST_AUTO_TEST_CASE(a_token_without_an_id_is_of_the_only_key)
{
    const key_set_reading one = read_key_set(jwks({key_of("ES256").jwk()}));
    BOOST_TEST(one.keys->find({}, jwt_algorithm::es256).key);
    BOOST_TEST(!one.keys->find({}, jwt_algorithm::rs256).key);
    const key_set_reading two = read_key_set(jwks({key_of("ES256").jwk(), key_of("ES384").jwk()}));
    BOOST_TEST(!two.keys->find({}, jwt_algorithm::es256).key);
    BOOST_TEST(two.keys->find({}, jwt_algorithm::es256).is_known); // no fetch helps
}

BOOST_AUTO_TEST_CASE(an_id_is_compared_exactly)
{
    const key_set_reading one = read_key_set(jwks({key_of("ES256").jwk()}));
    const std::string nul("k1\0", 3);
    for (const std::string& id :
         {std::string("K1"), std::string("k"), std::string(), std::string("../k1"), nul, std::string(1024, 'k')}) {
        BOOST_TEST(!one.keys->find(id, jwt_algorithm::es256).key, id);
        BOOST_TEST(!one.keys->find(id, jwt_algorithm::es256).is_known, id);
    }
    BOOST_TEST(one.keys->find("k1", jwt_algorithm::rs256).is_known);
}

BOOST_AUTO_TEST_CASE(an_id_of_two_keys_is_none_but_where_their_algorithms_differ)
{
    const key_set_reading kinds = read_key_set(jwks({key_of("ES256").jwk(), key_of("ES384").jwk()}));
    BOOST_TEST(kinds.keys->find("k1", jwt_algorithm::es384).key);
    const key_set_reading same = read_key_set(jwks({key_of("ES256").jwk(), jwt_signer("ES256").jwk()}));
    BOOST_TEST(!same.keys->find("k1", jwt_algorithm::es256).key);
    BOOST_TEST(same.keys->find("k1", jwt_algorithm::es256).is_known);
}

BOOST_AUTO_TEST_CASE(what_is_no_set_of_keys_is_refused_with_the_reason)
{
    for (const char* const row : {"", "null", "[]", "{", "{}", R"({"keys":{}})", R"({"keys":null})",
                                  R"({"keys":[],"keys":[]})", "<html></html>", R"({"keys":[]} x)"})
        BOOST_TEST(!read_key_set(row).keys, row);
    BOOST_TEST(read_key_set("{}").problem == R"(is not a set of keys: a JSON object with an array "keys")");
    BOOST_TEST(read_key_set(R"({"keys":[]})").problem.starts_with("has no key that can be used"));
    BOOST_TEST(!read_key_set(R"({"keys":)" + std::string(60000, '[')).keys);
}

BOOST_AUTO_TEST_CASE(a_set_has_64_keys_and_64_KiB_at_most)
{
    const std::string key = key_of("ES256").jwk();
    std::string list = key;
    for (int i = 1; i != 64; ++i)
        list += ',' + key;
    BOOST_TEST(usable(R"({"keys":[)" + list + "]}") == 64);
    BOOST_TEST(read_key_set(R"({"keys":[)" + list + ',' + key + "]}").problem == "has more than 64 keys");
    const std::string fits = jwks({key});
    BOOST_TEST(usable(fits + std::string((std::size_t(64) << 10) - fits.size(), ' ')) == 1);
    BOOST_TEST(read_key_set(fits + std::string(std::size_t(64) << 10, ' ')).problem == "is longer than 64 KiB");
}

BOOST_AUTO_TEST_CASE(keys_whose_signatures_take_long_cost_more)
{
    const auto cost = [](const std::string& jwk, jwt_algorithm algorithm) {
        return read_key_set(jwks({jwk})).keys->find({}, algorithm).key->cost();
    };
    const std::string e("\1\0\1", 3);
    BOOST_TEST(cost(key_of("ES256").jwk(), jwt_algorithm::es256) == 1U);
    BOOST_TEST(cost(key_of("ES384").jwk(), jwt_algorithm::es384) == 5U);
    BOOST_TEST(cost(rsa(modulus(512), e), jwt_algorithm::rs256) == 1U);
    BOOST_TEST(cost(rsa(modulus(1024), e), jwt_algorithm::rs256) == 4U);
}

// They would be taken for errors of a TLS connection of the same thread.
BOOST_AUTO_TEST_CASE(refused_keys_leave_no_errors_behind)
{
    ERR_clear_error();
    usable(jwks({ec("P-256", std::string(32, '\1'), std::string(32, '\2'))}));
    BOOST_TEST(ERR_peek_error() == 0UL);
}

BOOST_AUTO_TEST_SUITE_END()
