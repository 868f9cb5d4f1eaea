// The test vectors of Project Wycheproof: keys, messages and signatures, good ones and those that careless code has
// taken for good ones. See wycheproof.sh.

#include "access/jwt/verification_key.hpp"
#include "protocol/json/base64.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

using partyline::encode_base64url;
using partyline::access::jwt_algorithm;
using partyline::access::object_members;
using partyline::access::verification_key;
namespace json = boost::json;

namespace {

std::string text_of(const json::value& in, std::string_view name)
{
    return json::value_to<std::string>(in.at(name));
}

std::string bytes_of(const std::string& hex)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

std::string encoded(const json::value& in, std::string_view name)
{
    return encode_base64url(bytes_of(text_of(in, name)));
}

std::string jwk_of(const json::value& key)
{
    if (key.as_object().contains("modulus"))
        return R"({"kty":"RSA","n":")" + encoded(key, "modulus") + R"(","e":")" + encoded(key, "publicExponent") +
               R"("})";
    if (key.as_object().contains("pk"))
        return R"({"kty":"OKP","crv":"Ed25519","x":")" + encoded(key, "pk") + R"("})";
    const std::string point = bytes_of(text_of(key, "uncompressed")).substr(1);
    const std::size_t half = point.size() / 2;
    return R"({"kty":"EC","crv":"P-)" + std::to_string(half * 8) + R"(","x":")" +
           encode_base64url(point.substr(0, half)) + R"(","y":")" + encode_base64url(point.substr(half)) + R"("})";
}

std::size_t check_group(const json::value& group, jwt_algorithm algorithm)
{
    const auto jwk = object_members::read(jwk_of(group.at("publicKey")), 4);
    const std::optional<verification_key> key = verification_key::read(jwk.value());
    BOOST_REQUIRE(key);
    for (const json::value& test : group.at("tests").as_array()) {
        const bool is_good = key->has_signed(bytes_of(text_of(test, "msg")), algorithm, bytes_of(text_of(test, "sig")));
        // What is "acceptable" is a form that old software wrote, and no JWT has.
        BOOST_TEST(is_good == (text_of(test, "result") == "valid"), test.at("tcId") << ": " << test.at("comment"));
    }
    return group.at("tests").as_array().size();
}

void check(const char* name, jwt_algorithm algorithm, std::size_t least)
{
    std::ifstream file(std::filesystem::path(PARTYLINE_WYCHEPROOF) / (std::string(name) + ".json"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::size_t checked = 0;
    const json::value vectors = json::parse(text);
    for (const json::value& group : vectors.at("testGroups").as_array())
        checked += check_group(group, algorithm);
    BOOST_TEST(checked >= least);
}

} // namespace

BOOST_AUTO_TEST_SUITE(wycheproof)

BOOST_AUTO_TEST_CASE(signatures_by_RS256)
{
    check("rsa_signature_2048_sha256", jwt_algorithm::rs256, 259);
    check("rsa_signature_4096_sha256", jwt_algorithm::rs256, 250);
}

BOOST_AUTO_TEST_CASE(signatures_by_PS256)
{
    check("rsa_pss_2048_sha256_mgf1_32", jwt_algorithm::ps256, 108);
    check("rsa_pss_4096_sha256_mgf1_32", jwt_algorithm::ps256, 100);
}

BOOST_AUTO_TEST_CASE(signatures_by_ES256)
{
    check("ecdsa_secp256r1_sha256_p1363", jwt_algorithm::es256, 262);
}

BOOST_AUTO_TEST_CASE(signatures_by_ES384)
{
    check("ecdsa_secp384r1_sha384_p1363", jwt_algorithm::es384, 280);
}

BOOST_AUTO_TEST_CASE(signatures_by_EdDSA)
{
    check("ed25519", jwt_algorithm::eddsa, 151);
}

BOOST_AUTO_TEST_SUITE_END()
