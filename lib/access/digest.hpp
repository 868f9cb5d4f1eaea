#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::access {

/// A SHA-256, by which tokens are known: tokens themselves are neither kept nor compared.
using token_digest = std::array<unsigned char, 32>;

/// SHA-256 (FIPS 180-4); nothing where the system's cryptography refuses to work.
std::optional<token_digest> digest_of(std::string_view text) noexcept;

/// Its first `digits` hexadecimal digits, in lower case.
std::string hex_of(const token_digest& digest, std::size_t digits = 64);

/// Reads 64 hexadecimal digits, of either case.
std::optional<token_digest> read_hex(std::string_view digits) noexcept;

/// Digests are uniform already.
struct digest_hash {
    std::size_t operator()(const token_digest& digest) const noexcept
    {
        std::size_t hash = 0;
        std::memcpy(&hash, digest.data(), sizeof hash);
        return hash;
    }
};

} // namespace partyline::access
