#include <partyline/access/sign_calls.hpp>

#include "access/jwt/object_members.hpp"
#include "access/jwt/verification_key.hpp"
#include "access/openssl.hpp"
#include "access/proof/canonical.hpp"
#include "access/proof/private_key.hpp"
#include "access/proof/proof.hpp"
#include "protocol/json/base64.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <openssl/crypto.h>

namespace partyline::access {
namespace {

using raw_key = std::array<unsigned char, 32>;

std::string base64url_of(const raw_key& key)
{
    return encode_base64url({reinterpret_cast<const char*>(key.data()), key.size()});
}

void make_raw(raw_key& own, raw_key& open)
{
    const error_mark mark;
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> made(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"),
                                                                   EVP_PKEY_free);
    std::size_t own_size = own.size();
    std::size_t open_size = open.size();
    if (!made || EVP_PKEY_get_raw_private_key(made.get(), own.data(), &own_size) != 1 ||
        EVP_PKEY_get_raw_public_key(made.get(), open.data(), &open_size) != 1)
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                                "libcrypto makes no key");
}

bool is_public(std::string_view text)
{
    const std::optional<object_members> jwk = object_members::read(std::string(text), 16);
    return jwk ? jwk->find("d").empty() && verification_key::read(*jwk, jwt_use::proof).has_value()
               : verification_key::read_pem(text).has_value();
}

[[noreturn]] void refuse()
{
    throw boost::system::system_error(errc::bad_params, "it can't be signed");
}

bool is_array(std::string_view params)
{
    return params.substr(std::min(params.find_first_not_of(" \t\r\n"), params.size())).starts_with('[');
}

void sign(peer_call& call, const private_key& key)
{
    const std::optional<token_digest> digest = digest_of_params(call.params.text());
    if (!digest)
        refuse();
    const std::string proof = make_proof(key, call.method, *digest, std::chrono::system_clock::now());
    call.set_metadata(proof_member, boost::json::value(proof));
    if (call.params.text().find(proof) != std::string::npos)
        return;
    if (!is_array(call.params.text()) || !call.set_proof_beside(proof)) // there is no place for it
        refuse();
}

} // namespace

signing_key::signing_key(std::string_view text)
{
    std::optional<private_key> read = private_key::read(text);
    if (!read)
        throw std::runtime_error(std::string(is_public(text) ? "this is a public key: " : "") +
                                 "a private key is expected, a JWK of Ed25519, P-256, P-384 or oct, or PEM without a "
                                 "password");
    key_ = std::make_shared<const private_key>(*std::move(read));
}

std::function<void(peer_call&)> sign_calls(signing_key key)
{
    return [key = std::move(key)](peer_call& call) { sign(call, *key.get()); };
}

new_key make_key(std::string_view id)
{
    raw_key own;
    raw_key open;
    make_raw(own, open);
    byte_buffer name;
    write_string(name, id);
    const std::string begin =
        R"({"kty":"OKP","crv":"Ed25519","kid":)" + std::string(name.view()) + R"(,"x":")" + base64url_of(open) + '"';
    new_key made = {begin + R"(,"d":")" + base64url_of(own) + "\"}", begin + '}'};
    OPENSSL_cleanse(own.data(), own.size());
    return made;
}

} // namespace partyline::access
