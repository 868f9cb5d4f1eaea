#pragma once

#include "support/murmur_names.hpp"

#include <boost/version.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A name as it may stand in JSON, whose escapes are there already, but for quotes and control characters.
inline std::string escaped(const std::string& name)
{
    std::string text;
    for (const char c : name) {
        if (c == '"' || static_cast<unsigned char>(c) < ' ')
            text.append("\\u00").append(1, "012"[c >> 4]).append(1, "0123456789abcdef"[c & 15]);
        else
            text += c;
    }
    return text;
}

/// The text of an object with these names, whose values are their places.
inline std::string object_of(const std::vector<std::string>& names)
{
    std::string text = "{";
    for (std::size_t i = 0; i != names.size(); ++i)
        text.append(i == 0 ? "\"" : ",\"").append(escaped(names[i])).append("\":").append(std::to_string(i));
    return text + '}';
}

/// Whether Boost.JSON hashes names by MurmurHash64A; else by FNV-1a.
inline constexpr bool hashes_by_murmur = BOOST_VERSION >= 109000;

/// What FNV-1a makes of one more character of a name.
inline std::uint64_t digest(std::uint64_t before, char c)
{
    return (static_cast<std::uint64_t>(c) ^ before) * 0x100000001B3;
}

inline std::uint64_t digest(std::uint64_t salt, const std::string& name)
{
    std::uint64_t all = 0xcbf29ce484222325 + salt;
    for (const char c : name)
        all = digest(all, c);
    return all;
}

inline constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";

inline std::string random_name(std::mt19937_64& random, std::size_t length = 8)
{
    std::string name(length, ' ');
    for (char& c : name)
        c = letters[random() % letters.size()];
    return name;
}

/// As many names, of eight letters each, for one bucket of a table that has `buckets`, a power of two, and stands at an
/// address of this lowest byte. (For MurmurHash64A: longer ones, and for each table.)
inline std::vector<std::string> colliding_names(std::size_t count, unsigned salt, std::size_t buckets)
{
    if constexpr (hashes_by_murmur)
        return murmur_names().make(count);
    std::mt19937_64 random(1);
    std::vector<std::string> names;
    while (names.size() < count) {
        const std::string begin = random_name(random, 6);
        const std::uint64_t before = digest(0x7f0000000000 + salt, begin);
        for (const char next : letters)
            for (const char last : letters)
                if (digest(digest(before, next), last) % buckets == 5)
                    names.push_back(begin + next + last);
    }
    names.resize(count);
    return names;
}

/// As many names, of 8 to 22 letters, all for one bucket in `share` of a table that hashes by FNV-1a, has `buckets`, a
/// power of two, and stands at this address.
inline std::vector<std::string> names_for_one_table(std::size_t count, std::uint64_t address, std::size_t buckets,
                                                    std::size_t share)
{
    std::mt19937_64 random(5);
    std::vector<std::string> names;
    while (names.size() < count) {
        const std::string name = random_name(random, 8 + names.size() % 15);
        if (digest(address, name) % buckets < buckets / share)
            names.push_back(name);
    }
    return names;
}

} // namespace partyline::test
