// Of tokens in compact form, those alone are accepted that the issuer's key has signed as they stand, and whose claims
// another JSON reader finds to be right.

#include "access/jwt/issuers.hpp"
#include "fuzz/fuzz_input.hpp"
#include "protocol/json/base64.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <openssl/evp.h>

using partyline::decode_base64url;
using partyline::encode_base64url;
using partyline::test::fuzz_input;
using partyline::test::require;
namespace json = boost::json;

namespace {

using namespace partyline::access;

constexpr std::chrono::system_clock::time_point now{std::chrono::seconds(1'800'000'000)};
constexpr std::string_view issuer_name = "https://as.example.org";
constexpr std::string_view our_name = "https://rpc.example.org/mcp";
constexpr std::string_view good_header = R"({"alg":"EdDSA","kid":"k1","typ":"at+jwt"})";

const unsigned char* bytes(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

// Always the same one, so that the corpus has tokens that it has signed.
EVP_PKEY* key()
{
    static const std::string seed(32, 'k');
    static const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> made(
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes(seed), seed.size()), EVP_PKEY_free);
    return made.get();
}

std::string sign(std::string_view text)
{
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    std::string signature(64, '\0');
    std::size_t size = signature.size();
    EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key());
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes(text), text.size());
    return signature;
}

std::string jwks()
{
    std::string x(32, '\0');
    std::size_t size = x.size();
    EVP_PKEY_get_raw_public_key(key(), reinterpret_cast<unsigned char*>(x.data()), &size);
    return R"({"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k1","x":")" + encode_base64url(x) + R"("}]})";
}

std::optional<token_verdict> judge(std::string_view token)
{
    static const auto services = std::make_shared<issuer_services>();
    static const issuers all = [] {
        std::vector<issuer_settings> list(1);
        list[0].claims.issuer = issuer_name;
        list[0].claims.audiences = {std::string(our_name)};
        list[0].keys = read_key_set(jwks()).keys;
        return issuers(std::move(list), services, nullptr);
    }();
    signature_quota unused; // time stands still
    services->signatures = &unused;
    return all.verify(token, now);
}

bool is_admitted(const std::optional<token_verdict>& verdict)
{
    return verdict && verdict->outcome == partyline::authentication_outcome::admitted;
}

// An object as Boost.JSON reads it, which takes the last of members with one name.
json::object parsed(std::string_view part)
{
    const std::optional<std::string> text = decode_base64url(part);
    require(text.has_value(), "an accepted part is base64url", part);
    require(encode_base64url(*text) == part, "an accepted part has no other text", part);
    json::parse_options options;
    options.max_depth = 64;
    json::error_code error;
    const json::value value = json::parse(*text, error, {}, options);
    require(!error && value.is_object(), "an accepted part is an object", *text);
    return value.get_object();
}

bool names_us(const json::value& audience)
{
    if (audience.is_string())
        return audience.get_string() == our_name;
    return audience.is_array() && std::any_of(audience.get_array().begin(), audience.get_array().end(),
                                              [](const json::value& one) { return one == json::value(our_name); });
}

void check_accepted(std::string_view token, const token_verdict& verdict)
{
    const std::size_t first = token.find('.');
    const std::size_t second = token.find('.', first + 1);
    require(second != token.npos && token.find('.', second + 1) == token.npos && token.size() <= 8192,
            "an accepted token has three parts", token);
    require(decode_base64url(token.substr(second + 1)) == sign(token.substr(0, second)),
            "an accepted token was signed by the key", token);
    const json::object header = parsed(token.substr(0, first));
    require(header.at("alg") == "EdDSA" && !header.contains("crit"), "an accepted header is one of ours", token);
    const json::object claims = parsed(token.substr(first + 1, second - first - 1));
    require(claims.at("iss") == json::value(issuer_name) && names_us(claims.at("aud")), "it is for us", token);
    require(claims.at("exp").to_number<double>() + 60 > 1'800'000'000, "it has not expired", token);
    require(claims.at("sub") == json::value(verdict.peer.principal), "its principal is its subject", token);
    require(verdict.peer.principal.size() >= 1 && verdict.peer.principal.size() <= 4 * 256, "of some length", token);
    require(verdict.peer.scopes.size() <= 256, "not too many scopes", token);
    require(std::is_sorted(verdict.peer.scopes.begin(), verdict.peer.scopes.end()), "scopes are sorted", token);
}

void check(std::string_view token)
{
    const std::optional<token_verdict> verdict = judge(token);
    if (is_admitted(verdict))
        check_accepted(token, *verdict);
    require(!verdict || verdict->outcome != partyline::authentication_outcome::unavailable, "always to be had", token);
}

std::string signed_token(std::string_view header, std::string_view claims)
{
    const std::string text = encode_base64url(header) + '.' + encode_base64url(claims);
    return text + '.' + encode_base64url(sign(text));
}

} // namespace

// The first decision: whether the text is a token, the claims of one, or its header and, on the next line, its claims.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const std::size_t way = input.choose(3);
    const std::string_view text = input.text();
    if (way == 0) {
        check(text);
        return 0;
    }
    const std::size_t line = way == 1 ? text.npos : text.find('\n');
    const std::string_view header = line == text.npos ? good_header : text.substr(0, line);
    const std::string_view claims = line == text.npos ? text : text.substr(line + 1);
    std::string token = signed_token(header, claims);
    check(token);
    token[input.choose_again(256) * token.size() / 256] ^= static_cast<char>(1 << input.choose_again(7));
    require(token == signed_token(header, claims) || !is_admitted(judge(token)), "a changed token is refused", token);
    return 0;
}
