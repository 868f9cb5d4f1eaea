#include "access/jwt/verification_key.hpp"

#include "access/jwt/key_import.hpp"
#include "access/jwt/signature.hpp"

#include <algorithm>

#include <openssl/evp.h>

namespace partyline::access {
namespace {

using algorithms = std::vector<jwt_algorithm>;

struct key_material {
    std::shared_ptr<EVP_PKEY> key;
    algorithms by;
};

key_material import_key(const object_members& jwk, jwt_use use)
{
    const std::optional<std::string> kind = text_of(jwk.find("kty"));
    const std::optional<std::string> curve = text_of(jwk.find("crv"));
    if (kind == "RSA")
        return {import_rsa(jwk), {jwt_algorithm::rs256, jwt_algorithm::ps256}};
    if (kind == "EC" && curve == "P-256")
        return {import_ec(jwk, "P-256", 32), {jwt_algorithm::es256}};
    if (kind == "EC" && curve == "P-384")
        return {import_ec(jwk, "P-384", 48), {jwt_algorithm::es384}};
    if (kind == "OKP" && curve == "Ed25519")
        return {import_ed25519(jwk), {jwt_algorithm::eddsa}};
    if (kind == "oct" && use == jwt_use::proof)
        return {import_secret(jwk), {jwt_algorithm::hs256}};
    return {};
}

// RFC 7517 §4.2, §4.3.
bool is_to_verify(const object_members& jwk)
{
    const json_view use = jwk.find("use");
    const json_view operations = jwk.find("key_ops");
    if (!use.empty() && text_of(use) != "sig")
        return false;
    if (operations.empty())
        return true;
    const std::optional<std::vector<json_view>> named = elements_of(operations);
    return named && std::any_of(named->begin(), named->end(),
                                [](json_view operation) { return text_of(operation) == "verify"; });
}

// Those of its kind, or the one that it names.
algorithms named_by(const object_members& jwk, jwt_use use, algorithms of_kind)
{
    if (jwk.find("alg").empty())
        return of_kind;
    const std::optional<std::string> name = text_of(jwk.find("alg"));
    const std::optional<jwt_algorithm> named = name ? algorithm_of(*name, use) : std::nullopt;
    std::erase_if(of_kind, [&](jwt_algorithm one) { return one != named; });
    return of_kind;
}

unsigned cost_of(EVP_PKEY& key, jwt_algorithm algorithm)
{
    constexpr int usual_rsa_bits = 4096;
    if (algorithm == jwt_algorithm::es384)
        return 5;
    return EVP_PKEY_get_bits(&key) > usual_rsa_bits ? 4 : 1;
}

} // namespace

std::optional<verification_key> verification_key::read(const object_members& jwk, jwt_use use)
{
    const json_view id = jwk.find("kid");
    verification_key read;
    read.id_ = text_of(id);
    if ((!id.empty() && !read.id_) || !is_to_verify(jwk))
        return std::nullopt;
    key_material material = import_key(jwk, use);
    read.key_ = std::move(material.key);
    read.algorithms_ = named_by(jwk, use, std::move(material.by));
    if (!read.key_ || read.algorithms_.empty())
        return std::nullopt;
    read.cost_ = cost_of(*read.key_, read.algorithms_.front());
    return read;
}

std::optional<verification_key> verification_key::read_pem(std::string_view text)
{
    verification_key read;
    read.key_ = import_public_pem(text);
    if (!read.key_)
        return std::nullopt;
    read.algorithms_ = algorithms_of(*read.key_);
    if (read.algorithms_.empty())
        return std::nullopt;
    read.cost_ = cost_of(*read.key_, read.algorithms_.front());
    return read;
}

bool verification_key::signs_by(jwt_algorithm algorithm) const noexcept
{
    return std::find(algorithms_.begin(), algorithms_.end(), algorithm) != algorithms_.end();
}

bool verification_key::is_key_of(const verification_key& other) const noexcept
{
    return key_ == other.key_ || EVP_PKEY_eq(key_.get(), other.key_.get()) == 1;
}

bool verification_key::has_signed(std::string_view text, jwt_algorithm algorithm,
                                  std::string_view signature) const noexcept
{
    return signs_by(algorithm) && is_signature(*key_, algorithm, text, signature);
}

} // namespace partyline::access
