#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::access {

/// The signatures of JWTs that are verified (RFC 7518 §3.1, RFC 8037, RFC 9864).
enum class jwt_algorithm : std::uint8_t {
    rs256, ///< RSASSA-PKCS1-v1_5 with SHA-256
    ps256, ///< RSASSA-PSS with SHA-256, whose salt is as long as the digest
    es256, ///< ECDSA over P-256 with SHA-256
    es384, ///< ECDSA over P-384 with SHA-384
    eddsa, ///< Ed25519
    hs256, ///< HMAC with SHA-256, by a secret that both sides know: of proofs alone
};

/// What a JWT is for.
enum class jwt_use : std::uint8_t {
    access_token, ///< an issuer says who somebody is
    proof,        ///< a signer has made a call
};

/// The algorithm of a name, which has its case; nothing for any other name, and for one that is not for that use: no
/// public key of an issuer may be taken for a secret.
constexpr std::optional<jwt_algorithm> algorithm_of(std::string_view name, jwt_use use = jwt_use::access_token) noexcept
{
    if (name == "HS256" && use == jwt_use::proof)
        return jwt_algorithm::hs256;
    if (name == "RS256")
        return jwt_algorithm::rs256;
    if (name == "PS256")
        return jwt_algorithm::ps256;
    if (name == "ES256")
        return jwt_algorithm::es256;
    if (name == "ES384")
        return jwt_algorithm::es384;
    if (name == "Ed25519" || name == "EdDSA") // the name since RFC 9864, and the one before, which says less
        return jwt_algorithm::eddsa;
    return std::nullopt;
}

/// The name of an algorithm, by which more readers know it where it has two.
constexpr std::string_view name_of(jwt_algorithm algorithm) noexcept
{
    switch (algorithm) {
    case jwt_algorithm::rs256: return "RS256";
    case jwt_algorithm::ps256: return "PS256";
    case jwt_algorithm::es256: return "ES256";
    case jwt_algorithm::es384: return "ES384";
    case jwt_algorithm::eddsa: return "EdDSA";
    case jwt_algorithm::hs256: break;
    }
    return "HS256";
}

} // namespace partyline::access
