#include "access/jwt/compact.hpp"
#include "protocol/json/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using partyline::encode_base64url;
using partyline::access::compact_jwt;
using partyline::access::jwt_algorithm;
using partyline::access::read_compact;

namespace {

constexpr std::string_view good_header = R"({"alg":"ES256"})";

std::string compact(std::string_view header, std::string_view claims = "{}")
{
    return encode_base64url(header) + '.' + encode_base64url(claims) + ".AAAA";
}

bool is_read(std::string_view token)
{
    return read_compact(token).has_value();
}

std::string nested(std::size_t depth)
{
    return R"({"a":)" + std::string(depth, '[') + std::string(depth, ']') + '}';
}

} // namespace

BOOST_AUTO_TEST_SUITE(compact_form)

BOOST_AUTO_TEST_CASE(header_claims_and_signature_are_read)
{
    const std::string token = compact(R"({"kid":"k\u0031","alg":"EdDSA"})", R"({"sub":"alice"})");
    const std::optional<compact_jwt> read = read_compact(token);
    BOOST_REQUIRE(read);
    BOOST_CHECK(read->algorithm == jwt_algorithm::eddsa);
    BOOST_TEST(read->key_id.value() == "k1");
    BOOST_TEST(read->claims.find("sub").text() == R"("alice")");
    BOOST_TEST(read->signed_part == token.substr(0, token.size() - 5));
    BOOST_TEST(read->signature == std::string(3, '\0'));
}

BOOST_AUTO_TEST_CASE(other_forms_than_three_parts_are_refused)
{
    const std::string good = compact(good_header);
    BOOST_TEST(is_read(good));
    const std::vector<std::string> rows = {"",
                                           ".",
                                           "..",
                                           "...",
                                           good + ".",
                                           good + ".AAAA",
                                           good.substr(0, good.rfind('.')),
                                           good.substr(0, good.rfind('.') + 1),
                                           "." + good,
                                           R"({"payload":"e30","signatures":[]})"};
    for (const std::string& row : rows)
        BOOST_TEST(!is_read(row), row);
}

// Two texts for one token would be two tokens in a cache, and in a list of revoked ones.
BOOST_AUTO_TEST_CASE(base64url_is_strict)
{
    const std::string good = compact(good_header);
    const std::string before = good.substr(0, good.size() - 4);
    for (const char* const signature : {"AAAA=", "AAA=", "AA==", "AA=", "AAA+", "AAA/", "AA A", "AAA\n", "A", "AAB",
                                        "AB", "AAA\xC3\xA9", "%41AA", " AAAA", "AAAA "})
        BOOST_TEST(!is_read(before + signature), signature);
    BOOST_TEST(!is_read(before + std::string("AA\0A", 4)));
    BOOST_TEST(is_read(before + "AAA"));
    BOOST_TEST(is_read(before + "AA"));
}

BOOST_AUTO_TEST_CASE(the_header_is_one_object_without_repeated_names)
{
    for (const char* const row : {"", "null", "[]", "{", "{}", R"("x")", R"({"alg":"ES256"}x)", R"({"alg":"ES256",})",
                                  R"({"alg":"ES256","alg":"ES256"})", R"({"alg":"ES256","\u0061lg":"none"})",
                                  R"({"alg":"ES256","kid":"a","kid":"b"})", "\xEF\xBB\xBF{\"alg\":\"ES256\"}",
                                  "{\"alg\":\"ES256\",\"x\":\"\xFF\"}", R"({'alg':'ES256'})", R"({"alg":["ES256"]})"})
        BOOST_TEST(!is_read(compact(row)), row);
    BOOST_TEST(!is_read(compact(std::string_view("{\"alg\":\"ES256\"}\0", 16))));
    BOOST_TEST(is_read(compact(" {\"alg\" : \"ES256\"}\n")));
}

BOOST_AUTO_TEST_CASE(the_header_is_nested_four_deep_at_most)
{
    BOOST_TEST(is_read(compact(R"({"alg":"ES256","x":[[[]]]})")));
    BOOST_TEST(!is_read(compact(R"({"alg":"ES256","x":[[[[]]]]})")));
}

BOOST_AUTO_TEST_CASE(claims_nested_10000_deep_are_refused)
{
    BOOST_TEST(is_read(compact(good_header, nested(31))));
    BOOST_TEST(!is_read(compact(good_header, nested(32))));
    BOOST_TEST(!is_read(compact(good_header, R"({"a":)" + std::string(6000, '['))));
    BOOST_TEST(!is_read(compact(good_header, nested(10000))));
}

BOOST_AUTO_TEST_CASE(names_of_claims_come_once)
{
    BOOST_TEST(!is_read(compact(good_header, R"({"sub":"mallory","sub":"alice"})")));
    BOOST_TEST(!is_read(compact(good_header, R"({"sub":"mallory","s\u0075b":"alice"})")));
    BOOST_TEST(!is_read(compact(good_header, R"({"x":1,"sub":"a","y":2,"x":1})")));
    BOOST_TEST(is_read(compact(good_header, R"({"a":{"b":1,"b":2}})")));
    for (const char* const row : {"", "[]", "null", "{", "{}{}", "{} x"})
        BOOST_TEST(!is_read(compact(good_header, row)), row);
}

BOOST_AUTO_TEST_CASE(lone_surrogates_are_refused_wherever_they_stand)
{
    for (const char* const row : {R"({"a":"\ud800"})", R"({"\udc00":1})", R"({"a":[{"b":"\ud83d"}]})"})
        BOOST_TEST(!is_read(compact(good_header, row)), row);
    BOOST_TEST(is_read(compact(good_header, R"({"a":"\ud83d\ude00"})")));
}

BOOST_AUTO_TEST_CASE(only_the_algorithms_that_are_known_here_are_read)
{
    for (const char* const row :
         {"none",  "None",  "NONE",  "nOnE",   "",      "HS256", "HS384", "HS512",  "RS384",        "RS512",
          "PS384", "PS512", "ES512", "ES256K", "es256", "EDDSA", "Ed448", "RS256 ", "RS256\\u0000", "dir"})
        BOOST_TEST(!is_read(compact(R"({"alg":")" + std::string(row) + R"("})")), row);
    for (const char* const row : {"RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"})
        BOOST_TEST(is_read(compact(R"({"alg":")" + std::string(row) + R"("})")), row);
}

BOOST_AUTO_TEST_CASE(extensions_that_must_be_understood_are_refused)
{
    for (const char* const row : {R"(["exp"])", R"(["b64"],"b64":false)", "[]", "null", R"("exp")"})
        BOOST_TEST(!is_read(compact(R"({"alg":"ES256","crit":)" + std::string(row) + "}")), row);
}

// RFC 9068 §2.1, RFC 8725 §3.11: a token of another type is of another use.
BOOST_AUTO_TEST_CASE(types_are_those_of_access_tokens)
{
    const auto with_type = [](std::string_view type) {
        return compact(R"({"alg":"ES256","typ":)" + std::string(type) + "}");
    };
    for (const char* const row :
         {R"("JWT")", R"("jwt")", R"("at+jwt")", R"("AT+JWT")", R"("application/at+jwt")", R"("Application/At+Jwt")"})
        BOOST_TEST(is_read(with_type(row)), row);
    for (const char* const row :
         {R"("dpop+jwt")", R"("partyline-proof+jwt")", R"("logout+jwt")", R"("application/jwt")", R"("")", R"("JWT ")",
          R"("at+jwt;a=b")", "null", "1", R"(["JWT"])"})
        BOOST_TEST(!is_read(with_type(row)), row);
}

BOOST_AUTO_TEST_CASE(ids_of_keys_are_strings)
{
    for (const char* const row : {"null", "1", "{}", R"(["k1"])", R"("\ud800")"})
        BOOST_TEST(!is_read(compact(R"({"alg":"ES256","kid":)" + std::string(row) + "}")), row);
    for (const char* const row : {R"("")", R"("../../etc/passwd")", R"("a\u0000b")"})
        BOOST_TEST(is_read(compact(R"({"alg":"ES256","kid":)" + std::string(row) + "}")), row);
}

// rule: security.access.cost
BOOST_AUTO_TEST_CASE(more_than_8_KiB_are_refused_unread)
{
    const std::string head = encode_base64url(good_header) + ".e30.";
    BOOST_TEST(is_read(head + std::string((8192 - head.size()) / 4 * 4, 'A')));
    BOOST_TEST(!is_read(head + std::string(8192, 'A')));
    BOOST_TEST(!is_read(head + std::string(std::size_t(1) << 20, 'A')));
}

BOOST_AUTO_TEST_SUITE_END()
