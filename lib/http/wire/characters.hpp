#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::http {

// The classes of octets of RFC 9110 §5.6.2 and §5.5, and of RFC 3986 for targets.
inline constexpr std::uint8_t is_token_char = 1;
inline constexpr std::uint8_t is_value_char = 2; // within a field's value: all but controls, with the blank and the tab
inline constexpr std::uint8_t is_target_char = 4; // of an URI
inline constexpr std::uint8_t is_host_char = 8;  // of a name, an address or a port, and the brackets of an IPv6 address
inline constexpr std::uint8_t is_name_char = 16; // of a name or an IPv4 address

namespace detail {

constexpr std::array<std::uint8_t, 256> make_character_classes()
{
    std::array<std::uint8_t, 256> classes{};
    const auto add = [&](std::string_view characters, unsigned as) {
        for (const char c : characters) {
            std::uint8_t& of = classes[static_cast<unsigned char>(c)];
            of = static_cast<std::uint8_t>(of | as);
        }
    };
    constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    add(letters_and_digits, is_token_char | is_target_char | is_host_char | is_name_char);
    add("!#$%&'*+-.^_`|~", is_token_char);
    add("-._~:/?[]@!$&'()*+,;=%", is_target_char);
    add("-._~:[]", is_host_char);
    add("-._~", is_name_char);
    for (unsigned c = 0x20; c < 256; ++c) {
        if (c != 0x7f)
            classes[c] = static_cast<std::uint8_t>(classes[c] | is_value_char);
    }
    add("\t", is_value_char);
    return classes;
}

} // namespace detail

inline constexpr std::array<std::uint8_t, 256> character_classes = detail::make_character_classes();

constexpr bool is_in(char c, std::uint8_t of) noexcept
{
    return (character_classes[static_cast<unsigned char>(c)] & of) != 0;
}

constexpr bool is_all(std::string_view text, std::uint8_t of) noexcept
{
    for (const char c : text) {
        if (!is_in(c, of))
            return false;
    }
    return true;
}

constexpr bool is_blank(char c) noexcept
{
    return c == ' ' || c == '\t';
}

constexpr bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

/// Letters of ASCII alone, whatever the locale.
inline std::string lower_case(std::string_view text)
{
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + ('a' - 'A'));
    }
    return result;
}

} // namespace partyline::http
