#pragma once

#include <boost/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace partyline {

// How Boost.JSON hashes the names of an object's members, salted with the address of the object's table. Of each way:
// the number of salts that are worth looking at, a name's digest under one of them and under each, and its family.
// Families are names whose buckets lie to each other alike under all addresses that such a salt stands for.

/// An address as a table may have it; which one does not matter.
inline constexpr std::uint64_t some_table = 0x7f5a3c42b000;

/// FNV-1a, up to Boost 1.89. How the digests of two names of one family differ depends on the salt's lowest byte alone,
/// and tables are aligned to 16 bytes.
struct fnv_digest {
    static constexpr std::size_t salts = 16;
    using digests = std::array<std::uint64_t, salts>;

    static constexpr std::uint64_t prime = 0x100000001B3;
    static constexpr std::uint64_t first(std::uint64_t salt) noexcept { return 0xcbf29ce484222325 + salt; }
    static constexpr std::uint64_t next(std::uint64_t digest, char c) noexcept
    {
        return (static_cast<std::uint64_t>(c) ^ digest) * prime; // signed characters, as there
    }

    static constexpr std::uint64_t of(std::string_view name, std::uint64_t address) noexcept
    {
        std::uint64_t digest = first(address);
        for (const char c : name)
            digest = next(digest, c);
        return digest;
    }

    static constexpr std::uint64_t under(std::string_view name, std::size_t salt) noexcept
    {
        return of(name, some_table + salt * 16);
    }

    static digests under_each(std::string_view name) noexcept
    {
        digests all;
        for (std::size_t salt = 0; salt != salts; ++salt)
            all[salt] = first(some_table + salt * 16);
        for (const char c : name)
            for (std::uint64_t& digest : all)
                digest = next(digest, c);
        return all;
    }

    /// What the salt's other bytes add to a digest: the same to all names of one length, but for its sign, which a
    /// negative character turns.
    static std::uint64_t family_of(std::string_view name) noexcept
    {
        std::uint64_t negative = 0;
        for (const char c : name)
            negative += static_cast<unsigned char>(c) >> 7;
        return name.size() * 2 + negative % 2;
    }
};

/// MurmurHash64A, from Boost 1.90 on. Names can be made whose digests are equal under every salt, so any one shows
/// them. Names that collide under one salt alone are for those who know all of the table's address.
struct murmur_digest {
    static constexpr std::size_t salts = 1;
    using digests = std::array<std::uint64_t, salts>;

    static constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;
    static constexpr std::uint64_t shifted(std::uint64_t word) noexcept { return word ^ word >> 47; }
    static constexpr std::uint64_t mixed(std::uint64_t word) noexcept { return shifted(word * factor) * factor; }

    static std::uint64_t of(std::string_view name, std::uint64_t address) noexcept
    {
        std::uint64_t digest = address ^ name.size() * factor;
        for (; name.size() >= 8; name.remove_prefix(8)) {
            std::uint64_t word;
            std::memcpy(&word, name.data(), 8);
            digest = (digest ^ mixed(word)) * factor;
        }
        if (!name.empty())
            digest = (digest ^ tail(name)) * factor;
        return shifted(shifted(digest) * factor);
    }

    static std::uint64_t under(std::string_view name, std::size_t) noexcept { return of(name, some_table); }
    static digests under_each(std::string_view name) noexcept { return {under(name, 0)}; }
    static std::uint64_t family_of(std::string_view) noexcept { return 0; }

private:
    static std::uint64_t tail(std::string_view rest) noexcept
    {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i != rest.size(); ++i)
            word ^= static_cast<std::uint64_t>(rest[i]) << 8 * i; // signed characters, as there
        return word;
    }
};

// Boost.JSON has other constants where sizes have 32 bits.
static_assert(sizeof(std::size_t) == 8, "the watch for names that collide knows tables of 64-bit digests");

/// That of the Boost that we are built with.
using table_digest = std::conditional_t<(BOOST_VERSION >= 109000), murmur_digest, fnv_digest>;

} // namespace partyline
