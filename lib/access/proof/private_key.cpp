#include "access/proof/private_key.hpp"

#include "access/jwt/key_import.hpp"
#include "access/jwt/object_members.hpp"
#include "access/jwt/signature.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include <openssl/evp.h>

namespace partyline::access {
namespace {

constexpr std::size_t private_jwk_depth = 4;

std::shared_ptr<EVP_PKEY> import_private(const object_members& jwk)
{
    const std::optional<std::string> kind = text_of(jwk.find("kty"));
    const std::optional<std::string> curve = text_of(jwk.find("crv"));
    if (kind == "EC" && curve == "P-256")
        return import_private_ec(jwk, "P-256", 32);
    if (kind == "EC" && curve == "P-384")
        return import_private_ec(jwk, "P-384", 48);
    if (kind == "OKP" && curve == "Ed25519")
        return import_private_ed25519(jwk);
    return {};
}

} // namespace

std::optional<private_key> private_key::read(std::string_view text)
{
    private_key read;
    const bool is_json = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size())).starts_with('{');
    if (!(is_json ? read.read_jwk(text) : read.read_pem(text)))
        return std::nullopt;
    return read;
}

bool private_key::read_jwk(std::string_view text)
{
    const std::optional<object_members> jwk = object_members::read(std::string(text), private_jwk_depth);
    if (!jwk)
        return false;
    const json_view id = jwk->find("kid");
    id_ = text_of(id);
    if (!id.empty() && !id_)
        return false;
    if (text_of(jwk->find("kty")) == "oct") {
        key_ = import_secret(*jwk);
        algorithm_ = jwt_algorithm::hs256;
        return key_ != nullptr;
    }
    key_ = import_private(*jwk);
    if (key_)
        algorithm_ = algorithms_of(*key_).front();
    return key_ != nullptr;
}

bool private_key::read_pem(std::string_view text)
{
    key_ = import_private_pem(text);
    const std::vector<jwt_algorithm> by = key_ ? algorithms_of(*key_) : std::vector<jwt_algorithm>();
    if (by.empty())
        return false;
    algorithm_ = by.front();
    return true;
}

std::string private_key::sign(std::string_view text) const
{
    std::optional<std::string> made = access::sign(*key_, algorithm_, text);
    if (!made)
        throw std::bad_alloc();
    return *std::move(made);
}

} // namespace partyline::access
