#pragma once

#include "access/jwt/algorithm.hpp"

#include <optional>
#include <string>
#include <string_view>

using EVP_PKEY = struct evp_pkey_st; // of OpenSSL

namespace partyline::access {

/// Whether `signature` is one of `text` by the public key, or the secret, which is of the algorithm's kind (RFC 7518
/// §3, RFC 8037 §3.1). One of ECDSA is r and s in as many bytes each as the curve's order has, and in no other form.
bool is_signature(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text, std::string_view signature) noexcept;

/// The signature of `text` by the private key, or the secret, in that form; nothing where libcrypto makes none.
std::optional<std::string> sign(EVP_PKEY& key, jwt_algorithm algorithm, std::string_view text);

} // namespace partyline::access
