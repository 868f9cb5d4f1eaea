// JSON in canonical form is the same value in one text, whatever the text was; and of calls those alone have a valid
// proof whose method, params and time are what another JSON reader finds in its claims.

#include "access/proof/canonical.hpp"
#include "access/proof/proof.hpp"
#include "fuzz/fuzz_input.hpp"
#include "protocol/json/base64.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/session/peer_identity.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using partyline::encode_base64url;
using partyline::test::fuzz_input;
using partyline::test::require;
namespace json = boost::json;

namespace {

using namespace partyline::access;

constexpr std::chrono::system_clock::time_point now{std::chrono::seconds(1'800'000'000)};
constexpr std::string_view params = R"({"a":1})";

std::optional<std::string> canonical(const std::string& text)
{
    partyline::byte_buffer out;
    if (!append_canonical(out, text))
        return std::nullopt;
    return std::string(out.view());
}

std::optional<json::value> parsed(std::string_view text)
{
    json::parse_options options;
    options.max_depth = 1'000;
    json::error_code error;
    json::value value = json::parse(text, error, {}, options);
    return error ? std::nullopt : std::optional(std::move(value));
}

// Boost.JSON 1.81 does not round exactly, and takes 0e400 for no number.
bool are_equal(double a, double b)
{
    return !std::isfinite(a) || std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

bool are_equal(const json::value& a, const json::value& b)
{
    if (a.is_number() && b.is_number())
        return are_equal(a.to_number<double>(), b.to_number<double>());
    if (a.is_array() && b.is_array())
        return std::equal(a.get_array().begin(), a.get_array().end(), b.get_array().begin(), b.get_array().end(),
                          [](const json::value& one, const json::value& other) { return are_equal(one, other); });
    if (!a.is_object() || !b.is_object())
        return a == b;
    const json::object& one = a.get_object();
    const json::object& other = b.get_object();
    return one.size() == other.size() && std::all_of(one.begin(), one.end(), [&](const auto& member) {
               const json::value* const found = other.if_contains(member.key());
               return found && are_equal(member.value(), *found);
           });
}

void check_canonical(const std::string& text)
{
    const std::optional<std::string> form = canonical(text);
    if (!form)
        return;
    const std::optional<std::string> again = canonical(*form); // 2^63 has a form that is another whole number
    require(!again || again == form, "the canonical form is its own", text);
    const std::optional<json::value> read = parsed(text);
    const std::optional<json::value> read_again = parsed(*form);
    if (read)
        require(read_again && are_equal(*read, *read_again), "the canonical form is the same value", text);
    require(digest_of_params(text).has_value(), "what has a form has a digest", text);
}

const private_key& own_key()
{
    static const private_key key =
        private_key::read(R"({"kty":"oct","kid":"k","k":")" + encode_base64url(std::string(32, 'k')) + "\"}").value();
    return key;
}

signer_set all_signers()
{
    const auto jwk =
        object_members::read(R"({"kty":"oct","kid":"k","k":")" + encode_base64url(std::string(32, 'k')) + "\"}", 4);
    std::vector<signer> all(1);
    all[0].principal = "agent";
    all[0].id = "k";
    all[0].key = std::make_shared<const verification_key>(verification_key::read(*jwk, jwt_use::proof).value());
    return signer_set(std::move(all));
}

bool is_valid(std::string_view proof)
{
    static const signer_set signers = all_signers();
    partyline::peer_identity peer;
    peer.principal = "agent";
    seen_nonces seen;
    proof_services with;
    with.seen = &seen;
    const std::string shown = R"({"a":1,"_meta":{"partyline/proof":")" + std::string(proof) + "\"}}";
    partyline::unproven_call call;
    call.method = "add";
    call.params = partyline::json_view::checked(shown);
    call.peer = &peer;
    const checked_proof found = check_proof(call, signers, with, now);
    const bool is_good = found.verdict.is == partyline::proof_verdict::outcome::valid;
    if (is_good)
        require(use_proof(found, with, now).is == partyline::proof_verdict::outcome::valid, "it can be used", proof);
    if (is_good)
        require(check_proof(call, signers, with, now).verdict.reason == "replayed", "it is valid once", proof);
    return is_good;
}

std::string signed_text(std::string_view header, std::string_view claims)
{
    const std::string text = encode_base64url(header) + '.' + encode_base64url(claims);
    return text + '.' + encode_base64url(own_key().sign(text));
}

void check_claims(std::string_view header, std::string_view claims)
{
    const std::string proof = signed_text(header, claims);
    if (!is_valid(proof))
        return;
    const token_digest digest = digest_of_params(params).value();
    const json::object found = parsed(claims).value().as_object();
    require(found.at("m") == "add", "a valid proof is of the method", claims);
    require(found.at("p") ==
                json::value(encode_base64url({reinterpret_cast<const char*>(digest.data()), digest.size()})),
            "a valid proof is of the params", claims);
    const double age = 1'800'000'000 - found.at("iat").to_number<double>();
    require(age >= -5 && age <= 60, "a valid proof is recent", claims);
    require(found.at("jti").as_string().size() == 22, "a valid proof has a nonce", claims);
    const json::object head = parsed(header).value().as_object();
    require(head.at("alg") == "HS256" && head.at("typ") == "partyline-proof+jwt" && !head.contains("crit"),
            "a valid proof says that it is one", header);
}

} // namespace

// The first decision: whether the text is JSON, the claims of a proof, or its header and, on the next line, its claims.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const std::size_t way = input.choose(3);
    const std::string_view text = input.text();
    if (way == 0) {
        check_canonical(std::string(text));
        return 0;
    }
    const std::size_t line = way == 1 ? text.npos : text.find('\n');
    check_claims(line == text.npos ? R"({"alg":"HS256","typ":"partyline-proof+jwt"})" : text.substr(0, line),
                 line == text.npos ? text : text.substr(line + 1));
    return 0;
}
