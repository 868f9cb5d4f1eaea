#include "access/jwt/signature.hpp"

#include "access/openssl.hpp"

#include <array>
#include <cstddef>
#include <memory>

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

bool verify(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text, std::string_view signature) noexcept
{
    const openssl_pointer<EVP_MD_CTX> context(EVP_MD_CTX_new());
    EVP_PKEY_CTX* with = nullptr; // the context's
    if (!context || EVP_DigestVerifyInit(context.get(), &with, digest_of(algorithm), nullptr, &key) != 1)
        return false;
    if (algorithm == jwt_algorithm::ps256 && (EVP_PKEY_CTX_set_rsa_padding(with, RSA_PKCS1_PSS_PADDING) != 1 ||
                                              EVP_PKEY_CTX_set_rsa_pss_saltlen(with, RSA_PSS_SALTLEN_DIGEST) != 1))
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

} // namespace

bool is_signature(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text, std::string_view signature) noexcept
{
    const error_mark mark;
    switch (algorithm) {
    case jwt_algorithm::es256: return signature.size() == es256_bytes && verify_ecdsa(key, algorithm, text, signature);
    case jwt_algorithm::es384: return signature.size() == es384_bytes && verify_ecdsa(key, algorithm, text, signature);
    case jwt_algorithm::eddsa: return signature.size() == eddsa_bytes && verify(key, algorithm, text, signature);
    case jwt_algorithm::rs256:
    case jwt_algorithm::ps256: return verify(key, algorithm, text, signature);
    }
    return false;
}

} // namespace partyline::access
