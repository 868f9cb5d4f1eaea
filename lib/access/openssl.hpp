#pragma once

#include <memory>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace partyline::access {

struct openssl_deleter {
    void operator()(BIO* file) const noexcept { BIO_free(file); }
    void operator()(BIGNUM* number) const noexcept { BN_free(number); }
    void operator()(ECDSA_SIG* signature) const noexcept { ECDSA_SIG_free(signature); }
    void operator()(EVP_MD* algorithm) const noexcept { EVP_MD_free(algorithm); }
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
    void operator()(EVP_PKEY_CTX* context) const noexcept { EVP_PKEY_CTX_free(context); }
    void operator()(OSSL_PARAM* params) const noexcept { OSSL_PARAM_free(params); }
    void operator()(OSSL_PARAM_BLD* builder) const noexcept { OSSL_PARAM_BLD_free(builder); }
};

/// An object of OpenSSL's.
template <class Type>
using openssl_pointer = std::unique_ptr<Type, openssl_deleter>;

inline const unsigned char* unsigned_bytes(std::string_view text) noexcept
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Takes the errors that libcrypto notes in this scope off the thread's queue: left there, they would be taken for
/// errors of the next TLS connection that the thread serves.
class error_mark {
public:
    error_mark() noexcept { ERR_set_mark(); }
    ~error_mark() { ERR_pop_to_mark(); }
    error_mark(const error_mark&) = delete;
    error_mark& operator=(const error_mark&) = delete;
};

} // namespace partyline::access
