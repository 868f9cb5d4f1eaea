#include "access/jwt/key_import.hpp"

#include "access/openssl.hpp"
#include "protocol/json/base64.hpp"

#include <optional>
#include <string>
#include <utility>

#include <openssl/core_names.h>

namespace partyline::access {
namespace {

constexpr std::size_t least_rsa_bytes = 2048 / 8;
constexpr std::size_t most_rsa_bytes = 8192 / 8;
constexpr std::size_t most_exponent_bytes = 4;
constexpr std::size_t ed25519_bytes = 32;

std::shared_ptr<EVP_PKEY> shared(EVP_PKEY* key)
{
    return key ? std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free) : nullptr;
}

std::string decoded(const object_members& jwk, std::string_view name)
{
    const std::optional<std::string> text = text_of(jwk.find(name));
    return text ? decode_base64url(*text).value_or("") : "";
}

// Some issuers write zeros before it, which RFC 7518 §2 forbids.
std::string without_leading_zeros(std::string number)
{
    number.erase(0, number.find_first_not_of('\0'));
    return number;
}

bool is_odd(const std::string& number)
{
    return (static_cast<unsigned char>(number.back()) & 1) != 0;
}

std::shared_ptr<EVP_PKEY> make_key(const char* kind, OSSL_PARAM* params)
{
    const openssl_pointer<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        return {};
    return shared(key);
}

} // namespace

std::shared_ptr<EVP_PKEY> import_rsa(const object_members& jwk)
{
    const error_mark mark;
    const std::string n = without_leading_zeros(decoded(jwk, "n"));
    const std::string e = without_leading_zeros(decoded(jwk, "e"));
    const bool has_size =
        n.size() >= least_rsa_bytes && n.size() <= most_rsa_bytes && !e.empty() && e.size() <= most_exponent_bytes;
    if (!has_size || (n.size() == least_rsa_bytes && (n[0] & 0x80) == 0) || !is_odd(n) || !is_odd(e) || e == "\1")
        return {};
    const openssl_pointer<BIGNUM> modulus(BN_bin2bn(unsigned_bytes(n), static_cast<int>(n.size()), nullptr));
    const openssl_pointer<BIGNUM> exponent(BN_bin2bn(unsigned_bytes(e), static_cast<int>(e.size()), nullptr));
    const openssl_pointer<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
    if (!modulus || !exponent || !builder ||
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1)
        return {};
    const openssl_pointer<OSSL_PARAM> params(OSSL_PARAM_BLD_to_param(builder.get()));
    return params ? make_key("RSA", params.get()) : nullptr;
}

std::shared_ptr<EVP_PKEY> import_ec(const object_members& jwk, const char* group, std::size_t coordinate_bytes)
{
    const error_mark mark;
    const std::string x = decoded(jwk, "x");
    const std::string y = decoded(jwk, "y");
    if (x.size() != coordinate_bytes || y.size() != coordinate_bytes)
        return {};
    std::string point = "\4" + x + y; // uncompressed; libcrypto refuses one that is not on the curve
    std::string name = group;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name.data(), 0),
                           OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
                           OSSL_PARAM_construct_end()};
    return make_key("EC", params);
}

std::shared_ptr<EVP_PKEY> import_ed25519(const object_members& jwk)
{
    const error_mark mark;
    const std::string x = decoded(jwk, "x");
    if (x.size() != ed25519_bytes)
        return {};
    return shared(EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, unsigned_bytes(x), x.size()));
}

} // namespace partyline::access
