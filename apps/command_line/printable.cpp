#include "command_line/printable.hpp"

#include <partyline/protocol/writer.hpp>

namespace command_line {
namespace {

void append_escaped(std::string& out, unsigned char c)
{
    constexpr char digits[] = "0123456789abcdef";
    out += {'\\', 'x', digits[c >> 4], digits[c & 15]};
}

} // namespace

std::string printable(std::string_view text)
{
    std::string out;
    unsigned char before = 0;
    for (const char next : partyline::to_valid_utf8(text)) {
        const auto c = static_cast<unsigned char>(next);
        if (c < 0x20 || c == 0x7f) {
            append_escaped(out, c);
        } else if (before == 0xc2 && c < 0xa0) { // U+0080 to U+009F, which some terminals obey
            out.pop_back();
            append_escaped(out, c);
        } else {
            out += next;
        }
        before = c;
    }
    return out;
}

} // namespace command_line
