#pragma once

#include "protocol/json/scanner.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace partyline {

/// An id found in a text: both parts are empty when the value there is none that a request can have.
struct found_id {
    std::string_view text; // as it stands there
    std::string_view key;  // see `request_id::key`
};

inline bool is_number(const char* p) noexcept
{
    return *p == '-' || scanner::is_digit(*p);
}

/// Whether an id is what JSON-RPC 2.0 §4 advises against: null, or a number with a fraction or an exponent.
inline bool is_odd_id(std::string_view id) noexcept
{
    constexpr auto is_odd = [](char c) { return c == '.' || c == 'e' || c == 'E'; };
    return id == "null" || (!id.starts_with('"') && std::any_of(id.begin(), id.end(), is_odd));
}

/// The digits of an integer above zero that a comma or the end of the object follows, as most ids are; else null.
inline const char* skip_plain_integer(const char* p) noexcept
{
    if (*p < '1' || *p > '9')
        return nullptr;
    do
        ++p;
    while (scanner::is_digit(*p));
    return *p == ',' || *p == '}' ? p : nullptr;
}

/// Reads the value at `p` as an id; returns the place behind it, or null when it is not JSON. The key points into the
/// text, or into `memory` when it has escapes.
inline const char* read_id(scanner& scan, const char* p, std::size_t room, found_id& out, std::string& memory)
{
    const char* const begin = p;
    if (const char* const behind = skip_plain_integer(p)) {
        out.text = out.key = std::string_view(begin, static_cast<std::size_t>(behind - begin));
        return behind;
    }
    std::string_view decoded;
    if (*p == '"')
        p = scan.read_string(p, decoded, memory);
    else
        p = is_number(p) ? scan.skip_number(p) : scan.skip_value(p, room);
    out = {};
    if (!p || (*begin != '"' && *begin != 'n' && !is_number(begin)))
        return p;
    out.text = out.key = std::string_view(begin, static_cast<std::size_t>(p - begin));
    if (*begin == '"' && decoded.data() != begin + 1) [[unlikely]] {
        memory.insert(memory.begin(), '"');
        memory.push_back('"');
        out.key = memory;
    }
    return p;
}

} // namespace partyline
