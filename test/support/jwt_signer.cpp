#include "support/jwt_signer.hpp"

#include "protocol/json/base64.hpp"

#include <stdexcept>
#include <utility>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace partyline::test {
namespace {

void require(bool holds, const char* what)
{
    if (!holds)
        throw std::runtime_error(std::string("libcrypto: ") + what);
}

EVP_PKEY* generate(const std::string& algorithm, std::size_t bits)
{
    if (algorithm == "ES256")
        return EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256");
    if (algorithm == "ES384")
        return EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-384");
    if (algorithm == "EdDSA")
        return EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
    return EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", bits);
}

std::size_t coordinate_bytes(const std::string& algorithm)
{
    return algorithm == "ES384" ? 48 : 32;
}

const unsigned char* bytes(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string raw_signature(const std::string& der, std::size_t coordinate)
{
    const unsigned char* at = bytes(der);
    const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> read(
        d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())), ECDSA_SIG_free);
    std::string raw(2 * coordinate, '\0');
    auto* const out = reinterpret_cast<unsigned char*>(raw.data());
    const int size = static_cast<int>(coordinate);
    require(read && BN_bn2binpad(ECDSA_SIG_get0_r(read.get()), out, size) == size &&
                BN_bn2binpad(ECDSA_SIG_get0_s(read.get()), out + coordinate, size) == size,
            "no signature");
    return raw;
}

} // namespace

jwt_signer::jwt_signer(std::string algorithm, std::string id, std::size_t bits)
    : algorithm_(std::move(algorithm)), id_(std::move(id)), key_(generate(algorithm_, bits), EVP_PKEY_free)
{
    require(key_ != nullptr, "no key");
}

std::string jwt_signer::header() const
{
    return R"({"alg":")" + algorithm_ + R"(","typ":"at+jwt","kid":")" + id_ + R"("})";
}

std::string jwt_signer::number(const char* name, std::size_t bytes) const
{
    BIGNUM* read = nullptr;
    require(EVP_PKEY_get_bn_param(key_.get(), name, &read) == 1, name);
    const std::unique_ptr<BIGNUM, decltype(&BN_free)> owner(read, BN_free);
    std::string text(bytes != 0 ? bytes : static_cast<std::size_t>(BN_num_bytes(read)), '\0');
    BN_bn2binpad(read, reinterpret_cast<unsigned char*>(text.data()), static_cast<int>(text.size()));
    return encode_base64url(text);
}

std::string jwt_signer::jwk(std::string_view more) const
{
    std::string text = R"({"kid":")" + id_ + '"';
    if (algorithm_ == "EdDSA") {
        std::string x(32, '\0');
        std::size_t size = x.size();
        EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(x.data()), &size);
        text += R"(,"kty":"OKP","crv":"Ed25519","x":")" + encode_base64url(x) + '"';
    } else if (algorithm_.starts_with("ES")) {
        const std::size_t size = coordinate_bytes(algorithm_);
        text += R"(,"kty":"EC","crv":"P-)" + algorithm_.substr(2) + R"(","x":")" +
                number(OSSL_PKEY_PARAM_EC_PUB_X, size) + R"(","y":")" + number(OSSL_PKEY_PARAM_EC_PUB_Y, size) + '"';
    } else {
        text += R"(,"kty":"RSA","n":")" + number(OSSL_PKEY_PARAM_RSA_N) + R"(","e":")" + number(OSSL_PKEY_PARAM_RSA_E) +
                '"';
    }
    return text.append(more) + '}';
}

std::string jwt_signer::pem() const
{
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    char* text = nullptr;
    require(memory && PEM_write_bio_PUBKEY(memory.get(), key_.get()) == 1, "no PEM");
    const long size = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

std::string jwt_signer::private_pem() const
{
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    char* text = nullptr;
    require(memory &&
                PEM_write_bio_PKCS8PrivateKey(memory.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
            "no PEM");
    const long size = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

std::string jwt_signer::sign_as_der(std::string_view text) const
{
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_PKEY_CTX* with = nullptr;
    const EVP_MD* const digest =
        algorithm_ == "EdDSA" ? nullptr : (algorithm_ == "ES384" ? EVP_sha384() : EVP_sha256());
    require(context && EVP_DigestSignInit(context.get(), &with, digest, nullptr, key_.get()) == 1, "no signing");
    if (algorithm_ == "PS256") {
        EVP_PKEY_CTX_set_rsa_padding(with, RSA_PKCS1_PSS_PADDING);
        EVP_PKEY_CTX_set_rsa_pss_saltlen(with, RSA_PSS_SALTLEN_DIGEST);
    }
    std::size_t size = 0;
    require(EVP_DigestSign(context.get(), nullptr, &size, bytes(text), text.size()) == 1, "no size");
    std::string signature(size, '\0');
    auto* const out = reinterpret_cast<unsigned char*>(signature.data());
    require(EVP_DigestSign(context.get(), out, &size, bytes(text), text.size()) == 1, "no signature");
    signature.resize(size);
    return signature;
}

std::string jwt_signer::sign(std::string_view text) const
{
    const std::string signature = sign_as_der(text);
    return algorithm_.starts_with("ES") ? raw_signature(signature, coordinate_bytes(algorithm_)) : signature;
}

std::string jwt_signer::token(std::string_view header, std::string_view claims) const
{
    const std::string text = encode_base64url(header) + '.' + encode_base64url(claims);
    return text + '.' + encode_base64url(sign(text));
}

std::string jwks(std::initializer_list<std::string> keys)
{
    std::string text = R"({"keys":[)";
    for (const std::string& key : keys)
        text.append(text.back() == '[' ? "" : ",").append(key);
    return text + "]}";
}

} // namespace partyline::test
