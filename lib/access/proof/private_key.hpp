#pragma once

#include "access/jwt/algorithm.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

using EVP_PKEY = struct evp_pkey_st; // of OpenSSL

namespace partyline::access {

/// A private key of a signer, or its secret.
///
/// Thread safety: any number of threads may sign by one key at the same time.
class private_key {
public:
    /// Reads a JWK of Ed25519, P-256 or P-384 with its private part (`d`), or of a secret (`oct`); or a private key in
    /// PEM, of RSA as well, which has no id. Nothing for any other text.
    static std::optional<private_key> read(std::string_view text);

    /// The `kid` of its JWK.
    const std::optional<std::string>& id() const noexcept { return id_; }
    jwt_algorithm algorithm() const noexcept { return algorithm_; }
    /// Throws `std::bad_alloc` where libcrypto makes no signature.
    std::string sign(std::string_view text) const;

private:
    private_key() = default;
    bool read_jwk(std::string_view text);
    bool read_pem(std::string_view text);

    std::optional<std::string> id_;
    std::shared_ptr<EVP_PKEY> key_;
    jwt_algorithm algorithm_ = jwt_algorithm::eddsa;
};

} // namespace partyline::access
