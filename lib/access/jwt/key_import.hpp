#pragma once

#include "access/jwt/algorithm.hpp"
#include "access/jwt/object_members.hpp"

#include <memory>
#include <string_view>
#include <vector>

#include <openssl/evp.h>

namespace partyline::access {

// What keys their JWKs describe (RFC 7518 §6, RFC 8037 §2); null where they are none that may be used here.

/// 2048 to 8192 bits, and an odd exponent from 3 up to 32 bits: larger ones would cost more than a signature is worth.
std::shared_ptr<EVP_PKEY> import_rsa(const object_members& jwk);
/// `group` as OpenSSL calls it, whose coordinates have so many bytes.
std::shared_ptr<EVP_PKEY> import_ec(const object_members& jwk, const char* group, std::size_t coordinate_bytes);
std::shared_ptr<EVP_PKEY> import_ed25519(const object_members& jwk);
/// A secret for HMAC (RFC 7518 §6.4), of 32 to 1,024 bytes.
std::shared_ptr<EVP_PKEY> import_secret(const object_members& jwk);
/// A key in PEM, of any kind that OpenSSL knows, and not encrypted.
std::shared_ptr<EVP_PKEY> import_public_pem(std::string_view text);
std::shared_ptr<EVP_PKEY> import_private_pem(std::string_view text);
/// The private keys that JWKs with `d` describe.
std::shared_ptr<EVP_PKEY> import_private_ec(const object_members& jwk, const char* group, std::size_t coordinate_bytes);
std::shared_ptr<EVP_PKEY> import_private_ed25519(const object_members& jwk);
/// The algorithms of a key, by its kind and its size; none where it is one that may not be used here.
std::vector<jwt_algorithm> algorithms_of(EVP_PKEY& key);

} // namespace partyline::access
