#pragma once

#include "access/jwt/object_members.hpp"

#include <memory>

#include <openssl/evp.h>

namespace partyline::access {

// What keys their JWKs describe (RFC 7518 §6, RFC 8037 §2); null where they are none that may be used here.

/// 2048 to 8192 bits, and an odd exponent from 3 up to 32 bits: larger ones would cost more than a signature is worth.
std::shared_ptr<EVP_PKEY> import_rsa(const object_members& jwk);
/// `group` as OpenSSL calls it, whose coordinates have so many bytes.
std::shared_ptr<EVP_PKEY> import_ec(const object_members& jwk, const char* group, std::size_t coordinate_bytes);
std::shared_ptr<EVP_PKEY> import_ed25519(const object_members& jwk);

} // namespace partyline::access
