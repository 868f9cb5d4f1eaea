#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// 32 bytes: a digest, or a message authentication code.
using sha256_digest = std::array<char, 32>;

inline std::string_view bytes_of(const sha256_digest& digest) noexcept
{
    return {digest.data(), digest.size()};
}

// These throw `std::runtime_error` where the system's cryptography refuses to work, which is no peer's doing.

/// SHA-256 (FIPS 180-4).
sha256_digest sha256(std::string_view text);

/// HMAC-SHA256 (RFC 2104).
sha256_digest hmac_sha256(std::string_view key, std::string_view text);

/// Takes as long wherever the first difference stands, so that nobody finds a code byte by byte.
bool are_equal_in_constant_time(std::string_view a, std::string_view b) noexcept;

/// From the system's generator for secrets.
std::string random_bytes(std::size_t count);

} // namespace partyline::mcp
