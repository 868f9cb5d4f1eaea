#include "mcp/schema/pattern/pattern_escapes.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {
namespace {

bool is_digit(char32_t c) noexcept
{
    return c >= U'0' && c <= U'9';
}

bool is_letter(char32_t c) noexcept
{
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

unsigned hex_value(char32_t c) noexcept
{
    if (is_digit(c))
        return c - U'0';
    if (c >= U'a' && c <= U'f')
        return c - U'a' + 10;
    return c >= U'A' && c <= U'F' ? c - U'A' + 10 : 16;
}

char32_t read_hex(pattern_cursor& from, int count)
{
    char32_t value = 0;
    for (; count > 0; --count) {
        const unsigned digit = hex_value(from.peek());
        if (digit > 15)
            from.refuse("too few hexadecimal digits");
        value = value * 16 + digit;
        from.take();
    }
    return value;
}

// \u{1F432}
char32_t read_long_hex(pattern_cursor& from)
{
    char32_t value = 0;
    do {
        value = value * 16 + read_hex(from, 1);
        if (value > last_code_point)
            from.refuse("there is no such character");
    } while (!from.take_if(U'}'));
    return value;
}

bool is_low_surrogate_next(const pattern_cursor& from) noexcept
{
    return from.peek() == U'\\' && from.peek(1) == U'u' && hex_value(from.peek(2)) == 0xD &&
           hex_value(from.peek(3)) >= 0xC && hex_value(from.peek(3)) <= 0xF;
}

char32_t read_unicode(pattern_cursor& from)
{
    if (from.take_if(U'{'))
        return read_long_hex(from);
    const char32_t unit = read_hex(from, 4);
    if (unit < 0xD800 || unit > 0xDBFF || !is_low_surrogate_next(from))
        return unit;
    from.take();
    from.take();
    return 0x10000 + ((unit & 0x3FF) << 10) + (read_hex(from, 4) & 0x3FF);
}

std::optional<code_point_set> class_escape(char32_t c)
{
    switch (c) {
    case U'd': return digits();
    case U'D': return digits().inverted();
    case U'w': return word_characters();
    case U'W': return word_characters().inverted();
    case U's': return white_space();
    case U'S': return white_space().inverted();
    default: return std::nullopt;
    }
}

std::optional<char32_t> control_escape(char32_t c)
{
    switch (c) {
    case U't': return U'\t';
    case U'n': return U'\n';
    case U'v': return U'\v';
    case U'f': return U'\f';
    case U'r': return U'\r';
    default: return std::nullopt;
    }
}

char32_t read_control_letter(pattern_cursor& from)
{
    if (!is_letter(from.peek()))
        from.refuse("\\c needs a letter");
    return from.take() % 32;
}

// What `c`, which has been taken, stands for; `c` is no class.
char32_t read_character_escape(pattern_cursor& from, char32_t c)
{
    if (const auto control = control_escape(c))
        return *control;
    switch (c) {
    case U'c': return read_control_letter(from);
    case U'x': return read_hex(from, 2);
    case U'u': return read_unicode(from);
    case U'0':
        if (is_digit(from.peek()))
            from.refuse("octal escapes are not supported");
        return 0;
    case U'b':
    case U'B': from.refuse("word boundaries are not supported");
    case U'p':
    case U'P': from.refuse("classes by Unicode property are not supported");
    case U'k': from.refuse("back-references cannot be matched in linear time");
    default: break;
    }
    if (is_digit(c))
        from.refuse("back-references cannot be matched in linear time");
    if (is_letter(c))
        from.refuse("there is no such escape");
    return c;
}

char32_t take_escaped(pattern_cursor& from)
{
    if (from.is_at_end())
        from.refuse("a backslash stands at the end");
    return from.take();
}

// One member of a class: a character, or a set of them such as \d.
struct class_member {
    std::optional<char32_t> one;
    code_point_set set;
};

class_member read_class_member(pattern_cursor& from)
{
    if (from.is_at_end())
        from.refuse("a bracket is not closed");
    const char32_t c = from.take();
    if (c != U'\\')
        return {c, {}};
    const char32_t escaped = take_escaped(from);
    if (auto set = class_escape(escaped))
        return {std::nullopt, *set};
    if (escaped == U'b')
        return {U'\b', {}};
    return {read_character_escape(from, escaped), {}};
}

bool is_range_next(const pattern_cursor& from) noexcept
{
    return from.peek() == U'-' && from.peek(1) != U']' && from.peek(1) != U'\0';
}

code_point_range read_range(pattern_cursor& from, char32_t first)
{
    if (!is_range_next(from))
        return {first, first};
    from.take();
    const class_member last = read_class_member(from);
    if (!last.one || *last.one < first)
        from.refuse("a range goes from a character to a later one");
    return {first, *last.one};
}

} // namespace

code_point_set read_escape(pattern_cursor& from)
{
    const char32_t c = take_escaped(from);
    if (auto set = class_escape(c))
        return *set;
    const char32_t one = read_character_escape(from, c);
    return code_point_set({{one, one}});
}

code_point_set read_class(pattern_cursor& from)
{
    const bool is_negated = from.take_if(U'^');
    std::vector<code_point_range> ranges;
    while (!from.take_if(U']')) {
        const class_member next = read_class_member(from);
        if (next.one)
            ranges.push_back(read_range(from, *next.one));
        else
            ranges.insert(ranges.end(), next.set.ranges().begin(), next.set.ranges().end());
    }
    const code_point_set set(std::move(ranges));
    return is_negated ? set.inverted() : set;
}

} // namespace partyline::mcp::detail
