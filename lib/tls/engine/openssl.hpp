#pragma once

#include <memory>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace partyline::tls {

// Owners of OpenSSL's objects.

template <auto Free>
struct freed_by {
    template <class Object>
    void operator()(Object* object) const noexcept
    {
        Free(object);
    }
};

using ssl_pointer = std::unique_ptr<SSL, freed_by<SSL_free>>;
using ssl_ctx_pointer = std::unique_ptr<SSL_CTX, freed_by<SSL_CTX_free>>;
using bio_pointer = std::unique_ptr<BIO, freed_by<BIO_free_all>>;
using key_pointer = std::unique_ptr<EVP_PKEY, freed_by<EVP_PKEY_free>>;
using certificate_pointer = std::unique_ptr<X509, freed_by<X509_free>>;
using names_pointer = std::unique_ptr<GENERAL_NAMES, freed_by<GENERAL_NAMES_free>>;

struct free_certificates {
    void operator()(STACK_OF(X509) * list) const noexcept { sk_X509_pop_free(list, X509_free); }
};
using certificates_pointer = std::unique_ptr<STACK_OF(X509), free_certificates>;

} // namespace partyline::tls
