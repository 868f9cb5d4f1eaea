// Assertions by which a client proves who it is, read by the verifier of our own servers.

#include "access/jwt/object_members.hpp"
#include "access/jwt/verification_key.hpp"
#include "http/oauth/client_key.hpp"
#include "http/oauth/refused.hpp"
#include "http/oauth/token_request.hpp"
#include "protocol/json/base64.hpp"
#include "support/jwt_signer.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <openssl/err.h>

using namespace std::literals;
using namespace partyline::http;
using partyline::access::object_members;
using partyline::access::verification_key;
using partyline::test::has;
using partyline::test::jwt_signer;
using partyline::test::words_of_refusal;

namespace {

constexpr auto moment = std::chrono::system_clock::time_point(std::chrono::seconds(1'800'000'000));

struct assertion {
    std::string signed_part;
    std::string signature;
    boost::json::value header;
    boost::json::value claims;
};

assertion read(const std::string& token)
{
    const std::size_t first = token.find('.');
    const std::size_t second = token.rfind('.');
    assertion made;
    made.signed_part = token.substr(0, second);
    made.signature = partyline::decode_base64url(token.substr(second + 1)).value();
    made.header = boost::json::parse(partyline::decode_base64url(token.substr(0, first)).value());
    made.claims = boost::json::parse(partyline::decode_base64url(token.substr(first + 1, second - first - 1)).value());
    return made;
}

issuer_metadata issuer_with(std::vector<std::string> algorithms = {})
{
    issuer_metadata at;
    at.issuer = "https://as.example";
    at.token_endpoint = "https://elsewhere.example/token";
    at.signing_algorithms = std::move(algorithms);
    return at;
}

form_fields form_of(const std::string& pem, const issuer_metadata& at = issuer_with(), const std::string& id = {})
{
    client_identity who;
    who.id = "a client";
    who.method = client_authentication::key;
    const signing_client_key key = {client_key::read(pem), id};
    form_writer form;
    std::vector<field_text> fields;
    authenticate(form, fields, who, at, &key, moment);
    BOOST_TEST(fields.empty());
    return *form_fields::read(form.take());
}

bool is_signed_by(const assertion& made, const jwt_signer& by)
{
    const auto key = verification_key::read(object_members::read(by.jwk(), 4).value());
    return key->has_signed(made.signed_part, partyline::access::algorithm_of(by.algorithm()).value(), made.signature);
}

} // namespace

BOOST_AUTO_TEST_SUITE(http_oauth_client_key)

BOOST_AUTO_TEST_CASE(each_kind_of_key_signs_as_our_verifier_reads_it)
{
    for (const char* algorithm : {"RS256", "ES256", "ES384", "EdDSA"}) {
        const jwt_signer signer(algorithm);
        for (int i = 0; i < 20; ++i) { // halves of ECDSA that begin with zeros have their full length
            const assertion made = read(form_of(signer.private_pem()).find("client_assertion").value());
            BOOST_TEST(made.header.at("alg").as_string() == algorithm);
            BOOST_TEST(is_signed_by(made, signer), algorithm);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_assertion_is_for_the_issuer_and_for_one_use)
{
    const jwt_signer signer("ES256");
    const form_fields form = form_of(signer.private_pem(), issuer_with(), "key-7");
    BOOST_TEST(form.find("client_id").value() == "a client");
    BOOST_TEST(form.find("client_assertion_type").value() == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const assertion made = read(form.find("client_assertion").value());
    BOOST_TEST(made.header.at("kid").as_string() == "key-7");
    BOOST_TEST(made.claims.at("iss").as_string() == "a client");
    BOOST_TEST(made.claims.at("sub").as_string() == "a client");
    BOOST_TEST(made.claims.at("aud").as_string() == "https://as.example");
    BOOST_TEST(made.claims.at("iat").as_int64() == 1'800'000'000);
    BOOST_TEST(made.claims.at("exp").as_int64() == 1'800'000'120);
    const assertion next = read(form_of(signer.private_pem()).find("client_assertion").value());
    BOOST_TEST(made.claims.at("jti").as_string() != next.claims.at("jti").as_string());
    BOOST_TEST(!next.header.as_object().contains("kid"));
}

BOOST_AUTO_TEST_CASE(an_issuer_names_the_signatures_that_it_takes)
{
    const jwt_signer rsa("PS256");
    const auto algorithm = [&](std::vector<std::string> taken) {
        const auto form = form_of(rsa.private_pem(), issuer_with(std::move(taken)));
        const assertion made = read(form.find("client_assertion").value());
        if (made.header.at("alg").as_string() == "PS256")
            BOOST_TEST(is_signed_by(made, rsa));
        return std::string(made.header.at("alg").as_string());
    };
    BOOST_TEST(algorithm({"ES256", "PS256"}) == "PS256");
    BOOST_TEST(algorithm({"PS256", "RS256"}) == "RS256");
    BOOST_TEST(has(words_of_refusal([&] { algorithm({"ES256"}); }), "takes no signature of the client key"));
}

BOOST_AUTO_TEST_CASE(what_is_no_key_is_refused_and_leaves_no_error_for_the_next_connection)
{
    const jwt_signer signer("ES256");
    for (
        const std::string& wrong :
        {""s, "x"s, signer.private_pem().substr(0, 60), std::string(100'000, 'x'),
         jwt_signer("RS256", "k", 1024).private_pem(),
         "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIBvTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI\n-----END ENCRYPTED PRIVATE KEY-----\n"s})
        BOOST_CHECK_THROW(client_key::read(wrong), std::invalid_argument);
    BOOST_TEST(ERR_peek_error() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
