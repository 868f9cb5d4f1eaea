#include <partyline/protocol/printable.hpp>

#include "protocol/json/utf8.hpp"

namespace partyline {
namespace {

// Of a well-formed sequence; past U+FFFF nothing is escaped, and what comes back is any such value.
unsigned code_point_of(std::string_view sequence)
{
    const auto bits = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]) & 0x3Fu; };
    switch (sequence.size()) {
    case 1: return static_cast<unsigned char>(sequence[0]);
    case 2: return (bits(0) & 0x1F) << 6 | bits(1);
    case 3: return (bits(0) & 0x0F) << 12 | bits(1) << 6 | bits(2);
    default: return 0x10000;
    }
}

// U+202A to U+202E, U+2066 to U+2069, U+200E, U+200F and U+061C change the order in which a line is shown (Unicode
// Annex 9); U+2028 and U+2029 end one.
bool is_unsafe(unsigned c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void append_escape(std::string& out, unsigned c)
{
    constexpr char digits[] = "0123456789abcdef";
    out += {'\\', 'u', digits[c >> 12], digits[c >> 8 & 15], digits[c >> 4 & 15], digits[c & 15]};
}

} // namespace

std::string printable(std::string_view text, std::size_t max_bytes)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t before = out.size();
        const std::size_t length = utf8::sequence_length(text.data(), text.data() + text.size());
        const std::string_view sequence = text.substr(0, length);
        if (length == 0)
            out += utf8::replacement;
        else if (const unsigned c = code_point_of(sequence); is_unsafe(c))
            append_escape(out, c);
        else
            out += sequence;
        if (out.size() > max_bytes)
            return out.replace(before, out.npos, "...");
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

} // namespace partyline
