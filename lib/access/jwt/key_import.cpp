#include "access/jwt/key_import.hpp"

#include "access/openssl.hpp"
#include "protocol/json/base64.hpp"

#include <optional>
#include <string>
#include <utility>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/pem.h>

namespace partyline::access {
namespace {

constexpr std::size_t least_rsa_bytes = 2048 / 8;
constexpr std::size_t most_rsa_bytes = 8192 / 8;
constexpr std::size_t most_exponent_bytes = 4;
constexpr std::size_t ed25519_bytes = 32;
constexpr std::size_t least_secret_bytes = 32; // RFC 7518 §3.2
constexpr std::size_t most_secret_bytes = 1024;

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

// OpenSSL would ask for it on the terminal.
int has_no_password(char*, int, int, void*) noexcept
{
    return -1;
}

std::shared_ptr<EVP_PKEY> make_key(const char* kind, OSSL_PARAM* params, int part = EVP_PKEY_PUBLIC_KEY)
{
    const openssl_pointer<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, kind, nullptr));
    EVP_PKEY* key = nullptr;
    if (!context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, part, params) != 1)
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

std::shared_ptr<EVP_PKEY> import_secret(const object_members& jwk)
{
    const error_mark mark;
    std::string k = decoded(jwk, "k");
    if (k.size() < least_secret_bytes || k.size() > most_secret_bytes)
        return {};
    std::shared_ptr<EVP_PKEY> key =
        shared(EVP_PKEY_new_raw_private_key_ex(nullptr, "HMAC", nullptr, unsigned_bytes(k), k.size()));
    OPENSSL_cleanse(k.data(), k.size());
    return key;
}

std::shared_ptr<EVP_PKEY> import_public_pem(std::string_view text)
{
    const error_mark mark;
    const openssl_pointer<BIO> from(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    return from ? shared(PEM_read_bio_PUBKEY(from.get(), nullptr, has_no_password, nullptr)) : nullptr;
}

std::shared_ptr<EVP_PKEY> import_private_pem(std::string_view text)
{
    const error_mark mark;
    const openssl_pointer<BIO> from(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    return from ? shared(PEM_read_bio_PrivateKey(from.get(), nullptr, has_no_password, nullptr)) : nullptr;
}

std::shared_ptr<EVP_PKEY> import_private_ec(const object_members& jwk, const char* group, std::size_t coordinate_bytes)
{
    const error_mark mark;
    const std::string x = decoded(jwk, "x");
    const std::string y = decoded(jwk, "y");
    const std::string d = decoded(jwk, "d");
    if (x.size() != coordinate_bytes || y.size() != coordinate_bytes || d.size() != coordinate_bytes)
        return {};
    const std::string point = "\4" + x + y;
    const openssl_pointer<BIGNUM> number(BN_bin2bn(unsigned_bytes(d), static_cast<int>(d.size()), nullptr));
    const openssl_pointer<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
    if (!number || !builder ||
        OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, group, 0) != 1 ||
        OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()) != 1 ||
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, number.get()) != 1)
        return {};
    const openssl_pointer<OSSL_PARAM> params(OSSL_PARAM_BLD_to_param(builder.get()));
    return params ? make_key("EC", params.get(), EVP_PKEY_KEYPAIR) : nullptr;
}

std::shared_ptr<EVP_PKEY> import_private_ed25519(const object_members& jwk)
{
    const error_mark mark;
    const std::string d = decoded(jwk, "d");
    if (d.size() != ed25519_bytes)
        return {};
    return shared(EVP_PKEY_new_raw_private_key_ex(nullptr, "ED25519", nullptr, unsigned_bytes(d), d.size()));
}

std::vector<jwt_algorithm> algorithms_of(EVP_PKEY& key)
{
    if (EVP_PKEY_is_a(&key, "ED25519") == 1)
        return {jwt_algorithm::eddsa};
    const int bits = EVP_PKEY_get_bits(&key);
    if (EVP_PKEY_is_a(&key, "RSA") == 1 && bits >= int(8 * least_rsa_bytes) && bits <= int(8 * most_rsa_bytes))
        return {jwt_algorithm::rs256, jwt_algorithm::ps256};
    char group[64] = {};
    if (EVP_PKEY_is_a(&key, "EC") != 1 || EVP_PKEY_get_group_name(&key, group, sizeof group, nullptr) != 1)
        return {};
    const std::string_view curve = group;
    if (curve == "prime256v1" || curve == "P-256")
        return {jwt_algorithm::es256};
    if (curve == "secp384r1" || curve == "P-384")
        return {jwt_algorithm::es384};
    return {};
}

} // namespace partyline::access
