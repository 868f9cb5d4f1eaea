#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace partyline::access {

/// The signatures of JWTs that are verified (RFC 7518 §3.1, RFC 8037, RFC 9864). None of them has a secret that both
/// sides know.
enum class jwt_algorithm : std::uint8_t {
    rs256, ///< RSASSA-PKCS1-v1_5 with SHA-256
    ps256, ///< RSASSA-PSS with SHA-256, whose salt is as long as the digest
    es256, ///< ECDSA over P-256 with SHA-256
    es384, ///< ECDSA over P-384 with SHA-384
    eddsa, ///< Ed25519
};

/// The algorithm of a name, which has its case; nothing for any other name.
constexpr std::optional<jwt_algorithm> algorithm_of(std::string_view name) noexcept
{
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

} // namespace partyline::access
