#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

/// Numbers and text that follow from a seed (splitmix64: fast enough for texts of 64 MiB).
class random_source {
public:
    explicit random_source(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() noexcept
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// From 0 to `limit` - 1.
    std::uint64_t below(std::uint64_t limit) noexcept { return next() % limit; }

    /// Appends `size` characters that JSON writes as they are.
    void append_text(std::string& out, std::size_t size)
    {
        constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        constexpr std::size_t characters_a_number = 10; // of 6 bits each
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < size; ++i) {
            bits = i % characters_a_number == 0 ? next() : bits >> 6;
            out.push_back(alphabet[bits & 63]);
        }
    }

private:
    std::uint64_t state_;
};

} // namespace bench
