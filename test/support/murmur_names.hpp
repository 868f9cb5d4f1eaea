#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// Makes names that MurmurHash64A, as Boost.JSON has it from 1.90 on, hashes to the same under every seed: of two
/// blocks the first one changes the highest bit of the digest and nothing else, the second one changes it back.
class murmur_names {
public:
    /// As many names, of 16 characters for each doubling of their number.
    std::vector<std::string> make(std::size_t count)
    {
        std::vector<std::string> names = {""};
        while (names.size() < count) {
            const auto [a, changed_a] = find_blocks();
            const auto [b, changed_b] = find_blocks();
            std::vector<std::string> longer;
            for (const std::string& name : names) {
                longer.push_back(name + a + b);
                longer.push_back(name + changed_a + changed_b);
            }
            names = std::move(longer);
        }
        names.resize(count);
        return names;
    }

private:
    static constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;

    static std::uint64_t shifted(std::uint64_t word) { return word ^ word >> 47; } // undoes itself
    static std::uint64_t mixed(std::uint64_t word) { return shifted(word * factor) * factor; }
    static std::uint64_t unmixed(std::uint64_t word) { return shifted(word * inverse()) * inverse(); }

    /// Of the factor, modulo 2^64; each step doubles the number of bits that are right.
    static std::uint64_t inverse()
    {
        std::uint64_t x = factor;
        for (int i = 0; i != 5; ++i)
            x *= 2 - factor * x;
        return x;
    }

    /// ASCII, control characters included. (No backslash: `object_of` takes it for the beginning of an escape.)
    static bool is_ascii(const std::string& text)
    {
        for (const char c : text)
            if (static_cast<unsigned char>(c) >= 0x80 || c == '\\')
                return false;
        return true;
    }

    /// Two blocks of eight characters whose digests differ in the highest bit.
    std::pair<std::string, std::string> find_blocks()
    {
        for (;;) {
            std::string block = to_text(random_() & 0x7f7f7f7f7f7f7f7f);
            std::string changed = to_text(unmixed(mixed(to_word(block)) ^ std::uint64_t(1) << 63));
            if (is_ascii(block) && is_ascii(changed))
                return {std::move(block), std::move(changed)};
        }
    }

    static std::uint64_t to_word(const std::string& block)
    {
        std::uint64_t word;
        std::memcpy(&word, block.data(), sizeof word);
        return word;
    }
    static std::string to_text(std::uint64_t word)
    {
        std::string block(sizeof word, ' ');
        std::memcpy(block.data(), &word, sizeof word);
        return block;
    }

    std::mt19937_64 random_{7};
};

} // namespace partyline::test
