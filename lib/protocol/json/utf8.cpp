#include "protocol/json/utf8.hpp"

#include <partyline/protocol/writer.hpp>

#include <cstring>

namespace partyline::utf8 {
namespace {

bool is_long(char c)
{
    return static_cast<unsigned char>(c) >= 0x80;
}

bool is_trail(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/// Of a sequence that begins with a byte from 0x80 on. Where the second byte has a smaller range than the others, that
/// is what keeps overlong forms, surrogates and everything past U+10FFFF out.
inline std::size_t long_length(const char* p)
{
    const auto* const c = reinterpret_cast<const unsigned char*>(p);
    const unsigned lead = c[0];
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    if (lead < 0xE0)
        return is_trail(c[1]) ? 2 : 0;
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (c[1] < low || c[1] > high || !is_trail(c[2]))
        return 0;
    if (lead < 0xF0)
        return 3;
    return is_trail(c[3]) ? 4 : 0;
}

} // namespace

std::size_t sequence_length(const char* p) noexcept
{
    return is_long(*p) ? long_length(p) : 1;
}

std::size_t sequence_length(const char* p, const char* end) noexcept
{
    if (end - p >= 4)
        return sequence_length(p);
    char stopped[4] = {};
    std::memcpy(stopped, p, static_cast<std::size_t>(end - p));
    return sequence_length(stopped);
}

const char* skip_sequences(const char* p) noexcept
{
    while (is_long(*p)) {
        const std::size_t length = long_length(p);
        if (length == 0)
            break;
        p += length;
    }
    return p;
}

const char* skip_sequences(const char* p, const char* end) noexcept
{
    while (p != end && is_long(*p)) {
        const std::size_t length = sequence_length(p, end);
        if (length == 0)
            break;
        p += length;
    }
    return p;
}

void append(std::string& out, unsigned code_point)
{
    const auto trail = [&](unsigned shift) { out.push_back(static_cast<char>(0x80 | (code_point >> shift & 0x3F))); };
    const auto lead = [&](unsigned mark, unsigned shift) {
        out.push_back(static_cast<char>(mark | code_point >> shift));
    };
    if (code_point < 0x80) {
        lead(0, 0);
    } else if (code_point < 0x800) {
        lead(0xC0, 6), trail(0);
    } else if (code_point < 0x10000) {
        lead(0xE0, 12), trail(6), trail(0);
    } else {
        lead(0xF0, 18), trail(12), trail(6), trail(0);
    }
}

std::string shortened(std::string_view text, std::size_t max_bytes)
{
    if (text.size() <= max_bytes)
        return to_valid_utf8(text);
    std::size_t end = max_bytes;
    while (end > 0 && is_trail(static_cast<unsigned char>(text[end])))
        --end;
    return to_valid_utf8(text.substr(0, end)) + "...";
}

} // namespace partyline::utf8
