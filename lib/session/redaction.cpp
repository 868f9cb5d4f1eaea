#include "session/redaction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace partyline {
namespace {

constexpr std::string_view mark = "[redacted]";

enum class secret_kind : std::uint8_t { field, parameter, code };

struct secret_name {
    std::string_view text;
    secret_kind kind;
};

constexpr std::array<secret_name, 8> secret_names{{
    {"authorization", secret_kind::field},
    {"cookie", secret_kind::field},
    {"mcp-session-id", secret_kind::field},
    {"partyline-proof", secret_kind::field},
    {"access_token", secret_kind::parameter},
    {"refresh_token", secret_kind::parameter},
    {"client_secret", secret_kind::parameter},
    {"code", secret_kind::code},
}};

struct secret_range {
    std::size_t begin;
    std::size_t end;
};

char small(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view text, std::size_t at, std::string_view name) noexcept
{
    return text.size() - at >= name.size() && std::equal(name.begin(), name.end(), text.begin() + std::ptrdiff_t(at),
                                                         [](char a, char b) { return a == small(b); });
}

bool is_word(char c) noexcept
{
    return (small(c) >= 'a' && small(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_quote(char c) noexcept
{
    return c == '"' || c == '\'';
}

// "%3F", "%26", "%23": what begins a parameter of a query that is a parameter itself.
bool follows_escape(std::string_view text, std::size_t at) noexcept
{
    if (at < 3)
        return false;
    return begins_with(text, at - 3, "%3f") || begins_with(text, at - 3, "%26") || begins_with(text, at - 3, "%23");
}

bool follows_any(std::string_view text, std::size_t at, std::string_view these) noexcept
{
    return at == 0 || these.find(text[at - 1]) != text.npos || follows_escape(text, at);
}

bool begins_word(std::string_view text, std::size_t at) noexcept
{
    return at == 0 || !is_word(text[at - 1]) || follows_escape(text, at);
}

std::size_t skip_spaces(std::string_view text, std::size_t at) noexcept
{
    return std::min(text.find_first_not_of(" \t", at), text.size());
}

// Past a quote, which may be escaped itself; `at` where there is none.
std::size_t skip_quote(std::string_view text, std::size_t at) noexcept
{
    const std::size_t quote = text.find_first_not_of('\\', at);
    return quote != text.npos && is_quote(text[quote]) ? quote + 1 : at;
}

// From behind its opening quote, before which so many backslashes stand, to its closing one, or to that of the string
// that it is part of.
std::size_t end_of_string(std::string_view text, std::size_t begin, std::size_t escapes) noexcept
{
    const char quote = text[begin - 1];
    std::size_t run = 0;
    for (std::size_t at = begin; at != text.size(); ++at) {
        if (text[at] == quote && (run < escapes || run % (2 * (escapes + 1)) == escapes))
            return at - std::min(run, escapes);
        run = text[at] == '\\' ? run + 1 : 0;
    }
    return text.size();
}

std::size_t end_of_word(std::string_view text, std::size_t begin) noexcept
{
    const std::size_t end = std::min(text.find_first_of(" \t\r\n&#;,\"'<>()[]{}\\", begin), text.size());
    const std::string_view word = text.substr(0, end);
    for (std::size_t at = word.find('%', begin); at != word.npos; at = word.find('%', at + 1)) {
        if (begins_with(word, at, "%26") || begins_with(word, at, "%23"))
            return at;
    }
    return end;
}

// Past ":" or "=", or an escaped "="; `at` where there is none.
std::size_t skip_separator(std::string_view text, std::size_t at) noexcept
{
    if (at != text.size() && (text[at] == ':' || text[at] == '='))
        return at + 1;
    return begins_with(text, at, "%3d") ? at + 3 : at;
}

// What follows a name that begins and ends there.
std::optional<secret_range> value_after(std::string_view text, secret_kind kind, std::size_t name, std::size_t end)
{
    const std::size_t unquoted = skip_quote(text, end);
    const bool is_member = unquoted != end;
    const std::size_t separator = skip_spaces(text, unquoted);
    const std::size_t behind = skip_separator(text, separator);
    if (behind == separator)
        return std::nullopt;
    const bool is_assigned = text[separator] != ':';
    const std::size_t value = skip_spaces(text, behind);
    if (const std::size_t begin = skip_quote(text, value); begin != value && (is_member || kind != secret_kind::code))
        return secret_range{begin, end_of_string(text, begin, begin - 1 - value)};
    if (kind == secret_kind::field)
        return secret_range{value, std::min(text.find_first_of("\r\n", value), text.size())};
    const bool is_parameter = is_assigned && follows_any(text, name, "?&#;\"'\n");
    if (is_member || (kind == secret_kind::code && !is_parameter))
        return std::nullopt;
    return secret_range{value, end_of_word(text, value)};
}

std::optional<secret_range> secret_at(std::string_view text, std::size_t at)
{
    if (std::string_view("acmprACMPR").find(text[at]) == std::string_view::npos || !begins_word(text, at))
        return std::nullopt;
    for (const secret_name& each : secret_names) {
        if (begins_with(text, at, each.text))
            return value_after(text, each.kind, at, at + each.text.size());
    }
    return std::nullopt;
}

// "//", whose slashes JSON may escape; `at` where there is none.
std::size_t skip_slashes(std::string_view text, std::size_t at) noexcept
{
    std::size_t end = at;
    for (int slashes = 0; slashes != 2; ++slashes) {
        end += end < text.size() && text[end] == '\\' ? 1 : 0;
        if (end >= text.size() || text[end++] != '/')
            return at;
    }
    return end;
}

// The password in "https://user:password@host", whose scheme ends there.
std::optional<secret_range> password_at(std::string_view text, std::size_t colon)
{
    const std::size_t begin = skip_slashes(text, colon + 1);
    if (begin == colon + 1)
        return std::nullopt;
    const std::string_view rest = text.substr(begin);
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#\\ \t\r\n\"'<>"));
    const std::size_t password = authority.find(':');
    const std::size_t end = authority.rfind('@');
    if (password == authority.npos || end == authority.npos || end < password)
        return std::nullopt;
    return secret_range{begin + password + 1, begin + end};
}

// One that is written with escapes is the same name.
bool spells(std::string_view string, std::string_view name) noexcept
{
    std::size_t at = 0;
    for (const char expected : name) {
        if (at == string.size())
            return false;
        char c = string[at++];
        if (c == '\\' && at != string.size())
            c = string[at++];
        if (c == 'u' && at >= 2 && string[at - 2] == '\\') {
            unsigned code = 0;
            const std::string_view digits = string.substr(at, 4);
            std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
            c = static_cast<char>(code < 0x80 ? code : 0);
            at += digits.size();
        }
        if (c != expected)
            return false;
    }
    return at == string.size();
}

// The string that is the value of the member whose name begins and ends there.
std::optional<secret_range> string_after(std::string_view text, std::size_t end)
{
    constexpr std::string_view space = " \t\r\n";
    const std::size_t colon = text.find_first_not_of(space, end);
    if (colon == text.npos || text[colon] != ':')
        return std::nullopt;
    const std::size_t quote = text.find_first_not_of(space, colon + 1);
    if (quote == text.npos || text[quote] != '"')
        return std::nullopt;
    return secret_range{quote + 1, end_of_string(text, quote + 1, 0)};
}

} // namespace

std::string redacted(std::string_view text)
{
    std::string result;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::optional<secret_range> secret = text[at] == ':' ? password_at(text, at) : secret_at(text, at);
        if (!secret || secret->begin >= secret->end) {
            ++at;
            continue;
        }
        result.append(text, copied, secret->begin - copied).append(mark);
        at = copied = secret->end;
    }
    return result.append(text, copied);
}

std::string without_proofs(std::string_view message)
{
    constexpr std::string_view name = "partyline/proof";
    std::string result;
    std::size_t copied = 0;
    for (std::size_t at = message.find('"'); at != message.npos; at = message.find('"', at)) {
        const std::size_t end = end_of_string(message, at + 1, 0);
        if (end == message.size())
            break;
        const bool is_proof = spells(message.substr(at + 1, end - at - 1), name);
        at = end + 1;
        const std::optional<secret_range> proof = is_proof ? string_after(message, at) : std::nullopt;
        if (!proof)
            continue;
        result.append(message, copied, proof->begin - copied).append(mark);
        copied = proof->end;
        at = std::min(proof->end + 1, message.size());
    }
    return result.append(message, copied);
}

} // namespace partyline
