#pragma once

#include "protocol/json/random_seed.hpp"
#include "protocol/json/text_hash.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::access {

/// A SHA-256, by which credentials are known: tokens themselves are neither kept nor compared.
using token_digest = std::array<unsigned char, 32>;

/// SHA-256 (FIPS 180-4); nothing where the system's cryptography refuses to work.
std::optional<token_digest> digest_of(std::string_view text) noexcept;

/// Its first `digits` hexadecimal digits, in lower case.
std::string hex_of(const token_digest& digest, std::size_t digits = 64);

/// Reads 64 hexadecimal digits, of either case.
std::optional<token_digest> read_hex(std::string_view digits) noexcept;

/// A hash of bytes that peers choose: under a secret seed, so that nobody finds any that collide.
struct bytes_hash {
    std::uint64_t seed = random_seed();
    template <std::size_t Size>
    std::size_t operator()(const std::array<unsigned char, Size>& bytes) const noexcept
    {
        return hash_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed);
    }
};

} // namespace partyline::access
