#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A JSON text as Boost.JSON's parser sees it, with what a `json::value` forgets: duplicate names, numbers as written.
struct json_tree {
    enum class kind : std::uint8_t { null, boolean, number, string, array, object };
    kind what = kind::null;
    /// Of a string decoded, of a number as written, else "true", "false" or "null".
    std::string text;
    /// Of an object's members, one for each of `children`.
    std::vector<std::string> names;
    std::vector<json_tree> children;

    bool operator==(const json_tree&) const = default;

    /// Arrays and objects one in another; 0 for a scalar.
    std::size_t depth() const;
    /// Whether a string or a name has a lone surrogate, which stands as the bytes that UTF-8 would have for it.
    bool has_half_pair() const;
    int count(std::string_view name) const;
    /// The last member of that name; null without.
    const json_tree* find(std::string_view name) const;
};

/// `unknown` is what Boost.JSON refuses for limits of its own: very deep nesting, exponents past an int.
enum class json_validity : std::uint8_t { valid, invalid, unknown };

json_validity parse_tree(std::string_view text, json_tree& out);

} // namespace partyline::test
