#include "access/jwt/signature.hpp"

#include "access/openssl.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/rsa.h>

namespace partyline::access {
namespace {

constexpr std::size_t es256_bytes = 64;
constexpr std::size_t es384_bytes = 96;
constexpr std::size_t eddsa_bytes = 64;

const EVP_MD* digest_of(jwt_algorithm algorithm) noexcept
{
    switch (algorithm) {
    case jwt_algorithm::es384: return EVP_sha384();
    case jwt_algorithm::eddsa: return nullptr; // has one of its own
    default: return EVP_sha256();
    }
}

bool use_padding(EVP_PKEY_CTX* with, jwt_algorithm algorithm) noexcept
{
    return algorithm != jwt_algorithm::ps256 || (EVP_PKEY_CTX_set_rsa_padding(with, RSA_PKCS1_PSS_PADDING) == 1 &&
                                                 EVP_PKEY_CTX_set_rsa_pss_saltlen(with, RSA_PSS_SALTLEN_DIGEST) == 1);
}

bool verify(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text, std::string_view signature) noexcept
{
    const openssl_pointer<EVP_MD_CTX> context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* with = nullptr; // the context's
    if (!context || EVP_DigestVerifyInit(context.get(), &with, digest_of(algorithm), nullptr, &key) != 1 ||
        !use_padding(with, algorithm))
        return false;
    return EVP_DigestVerify(context.get(), unsigned_bytes(signature), signature.size(), unsigned_bytes(text),
                            text.size()) == 1;
}

openssl_pointer<ECDSA_SIG> read_halves(std::string_view signature) noexcept
{
    const std::size_t half = signature.size() / 2;
    openssl_pointer<BIGNUM> r(BN_bin2bn(unsigned_bytes(signature), static_cast<int>(half), nullptr));
    openssl_pointer<BIGNUM> s(BN_bin2bn(unsigned_bytes(signature.substr(half)), static_cast<int>(half), nullptr));
    openssl_pointer<ECDSA_SIG> read(ECDSA_SIG_new());
    if (!r || !s || !read || ECDSA_SIG_set0(read.get(), r.get(), s.get()) != 1)
        return {};
    static_cast<void>(r.release());
    static_cast<void>(s.release());
    return read;
}

// OpenSSL wants DER, of which JWS knows nothing: 104 bytes for P-384 at most.
bool verify_ecdsa(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text, std::string_view signature) noexcept
{
    const openssl_pointer<ECDSA_SIG> halves = read_halves(signature);
    std::array<unsigned char, 128> der;
    unsigned char* end = der.data();
    if (!halves || i2d_ECDSA_SIG(halves.get(), nullptr) > static_cast<int>(der.size()) ||
        i2d_ECDSA_SIG(halves.get(), &end) <= 0)
        return false;
    const auto size = static_cast<std::size_t>(end - der.data());
    return verify(key, algorithm, text, {reinterpret_cast<const char*>(der.data()), size});
}

constexpr std::size_t hs256_bytes = 32;

using signature_buffer = std::array<unsigned char, 1024>; // RSA's is as long as its key, of 8192 bits at most

// As OpenSSL has it, of ECDSA in DER; empty where it makes none.
std::string_view make_signature(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text,
                                signature_buffer& memory) noexcept
{
    const openssl_pointer<EVP_MD_CTX> context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* with = nullptr; // the context's
    std::size_t size = memory.size();
    if (!context || EVP_DigestSignInit(context.get(), &with, digest_of(algorithm), nullptr, &key) != 1 ||
        !use_padding(with, algorithm) ||
        EVP_DigestSign(context.get(), memory.data(), &size, unsigned_bytes(text), text.size()) != 1)
        return {};
    return {reinterpret_cast<const char*>(memory.data()), size};
}

bool verify_hmac(EVP_PKEY& key, std::string_view text, std::string_view signature) noexcept
{
    signature_buffer memory;
    const std::string_view made = make_signature(key, jwt_algorithm::hs256, text, memory);
    return made.size() == hs256_bytes && signature.size() == hs256_bytes &&
           CRYPTO_memcmp(made.data(), signature.data(), hs256_bytes) == 0;
}

std::optional<std::string> halves_of(std::string_view der, std::size_t bytes)
{
    const unsigned char* at = unsigned_bytes(der);
    const openssl_pointer<ECDSA_SIG> read(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
    std::string halves(bytes, '\0');
    auto* const out = reinterpret_cast<unsigned char*>(halves.data());
    const int half = static_cast<int>(bytes / 2);
    if (!read || BN_bn2binpad(ECDSA_SIG_get0_r(read.get()), out, half) != half ||
        BN_bn2binpad(ECDSA_SIG_get0_s(read.get()), out + half, half) != half)
        return std::nullopt;
    return halves;
}

} // namespace

std::optional<std::string> sign(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text)
{
    const error_mark mark;
    signature_buffer memory;
    const std::string_view made = make_signature(key, algorithm, text, memory);
    if (made.empty())
        return std::nullopt;
    switch (algorithm) {
    case jwt_algorithm::es256: return halves_of(made, es256_bytes);
    case jwt_algorithm::es384: return halves_of(made, es384_bytes);
    default: return std::string(made);
    }
}

bool is_signature(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text, std::string_view signature) noexcept
{
    const error_mark mark;
    switch (algorithm) {
    case jwt_algorithm::es256: return signature.size() == es256_bytes && verify_ecdsa(key, algorithm, text, signature);
    case jwt_algorithm::es384: return signature.size() == es384_bytes && verify_ecdsa(key, algorithm, text, signature);
    case jwt_algorithm::eddsa: return signature.size() == eddsa_bytes && verify(key, algorithm, text, signature);
    case jwt_algorithm::rs256:
    case jwt_algorithm::ps256: return verify(key, algorithm, text, signature);
    case jwt_algorithm::hs256: return verify_hmac(key, text, signature);
    }
    return false;
}

} // namespace partyline::access
