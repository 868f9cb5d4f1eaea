#pragma once

#include "access/jwt/algorithm.hpp"
#include "access/jwt/object_members.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::access {

/// The most bytes that a JWT may have.
inline constexpr std::size_t max_jwt_bytes = std::size_t(8) << 10;

/// A JWT in compact form (RFC 7515 §7.1), read. Nothing says yet that anybody has signed it, or that its claims hold.
struct compact_jwt {
    /// Its header and payload as they came: what is signed. A view of the token's text.
    std::string_view signed_part = {};
    std::string signature = {};
    jwt_algorithm algorithm = jwt_algorithm::rs256;
    std::optional<std::string> key_id = {};
    object_members claims = {};
};

/// The type of proofs (`typ`), in these characters.
inline constexpr std::string_view proof_type = "partyline-proof+jwt";

/// Reads a JWT for this use. Nothing where it is too long, is not of three parts in strict base64url, or where its
/// header is of another type (`typ`), has an algorithm that is not known here, or names extensions that must be
/// understood (`crit`). Keys in the header, and addresses of keys, are not looked at.
std::optional<compact_jwt> read_compact(std::string_view token, jwt_use use = jwt_use::access_token);

} // namespace partyline::access
