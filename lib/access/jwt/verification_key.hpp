#pragma once

#include "access/jwt/algorithm.hpp"
#include "access/jwt/object_members.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using EVP_PKEY = struct evp_pkey_st; // of OpenSSL

namespace partyline::access {

/// A public key of an issuer, or of a signer, which may have a secret instead.
///
/// Thread safety: any number of threads may verify signatures by one key at the same time.
class verification_key {
public:
    /// Reads a JWK (RFC 7517): RSA of 2048 to 8192 bits, P-256, P-384, Ed25519; for proofs, also a secret (`oct`) of 32
    /// to 1,024 bytes. Nothing for any other, among them weak ones, points that are not on their curve, and keys that
    /// are not to verify signatures (`use`, `key_ops`, `alg`).
    static std::optional<verification_key> read(const object_members& jwk, jwt_use use = jwt_use::access_token);
    /// Reads a public key of these kinds in PEM (RFC 7468, "PUBLIC KEY"); it has no id.
    static std::optional<verification_key> read_pem(std::string_view text);

    const std::optional<std::string>& id() const noexcept { return id_; }
    /// Whether it is a secret, which signs as well.
    bool is_secret() const noexcept { return signs_by(jwt_algorithm::hs256); }
    /// Whether it signs by this algorithm. An RSA key signs by both of RSA, unless its JWK names one.
    bool signs_by(jwt_algorithm algorithm) const noexcept;
    /// What a signature costs, compared with most others (20 to 70 µs): libcrypto has no quick code for P-384.
    unsigned cost() const noexcept { return cost_; }
    /// Whether it is the same key, whatever its id is.
    bool is_key_of(const verification_key& other) const noexcept;
    /// Whether the signature of `text` is one by this key.
    bool has_signed(std::string_view text, jwt_algorithm algorithm, std::string_view signature) const noexcept;

private:
    verification_key() = default;

    std::optional<std::string> id_;
    std::vector<jwt_algorithm> algorithms_;
    std::shared_ptr<EVP_PKEY> key_;
    unsigned cost_ = 1;
};

} // namespace partyline::access
