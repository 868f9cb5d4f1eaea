#include "protocol/json/scanner.hpp"

#include "protocol/json/surrogates.hpp"
#include "protocol/json/utf8.hpp"
#include "protocol/json/value_scan.hpp"

namespace partyline {
namespace {

/// The sink of a value that only has to be valid.
struct check_only {
    static constexpr bool decodes = false;
    static constexpr bool may_skip = true;
    void string(std::string_view) noexcept {}
    void boolean(bool) noexcept {}
    void null() noexcept {}
    void array(std::size_t) noexcept {}
    bool object(std::size_t) noexcept { return true; }
    bool number(std::string_view, bool) noexcept { return true; }
};

} // namespace

const char* scanner::fail(const char* place, const char* reason, fault what) noexcept
{
    place_ = place;
    reason_ = place == end_ ? "unexpected end" : reason;
    fault_ = what;
    return nullptr;
}

const char* scanner::skip_value(const char* p, std::size_t room)
{
    check_only sink;
    return value(p, sink, room);
}

const char* scanner::skip_number(const char* p)
{
    check_only sink;
    return number(p, sink);
}

const char* scanner::skip_special_string(const char* p)
{
    for (unsigned ignored = 0; *p != '"'; p = skip_plain(p, end_)) {
        p = *p == '\\' ? read_escape(p, ignored) : skip_utf8(p);
        if (!p)
            return nullptr;
    }
    return p + 1;
}

const char* scanner::read_special_string(const char* begin, const char* p, std::string_view& out, std::string& memory)
{
    const char* run = begin; // what stands for itself is copied a run at a time, and not at all without escapes
    memory.clear();
    for (; *p != '"'; p = skip_plain(p, end_)) {
        if (*p == '\\') {
            unsigned code_point = 0;
            memory.append(run, p);
            if (!(p = read_escape(p, code_point)))
                return nullptr;
            utf8::append(memory, code_point);
            run = p;
        } else if (!(p = skip_utf8(p))) {
            return nullptr;
        }
    }
    out = std::string_view(begin, static_cast<std::size_t>(p - begin));
    if (run != begin)
        out = memory.append(run, p);
    return p + 1;
}

const char* scanner::skip_utf8(const char* p)
{
    p = utf8::skip_sequences(p);
    if (static_cast<unsigned char>(*p) >= 0x80)
        return fail(p, "not UTF-8");
    return static_cast<unsigned char>(*p) < 0x20 ? fail(p, "a control character in a string") : p;
}

const char* scanner::read_escape(const char* p, unsigned& code_point)
{
    switch (p[1]) {
    case '"': code_point = '"'; break;
    case '\\': code_point = '\\'; break;
    case '/': code_point = '/'; break;
    case 'b': code_point = '\b'; break;
    case 'f': code_point = '\f'; break;
    case 'n': code_point = '\n'; break;
    case 'r': code_point = '\r'; break;
    case 't': code_point = '\t'; break;
    case 'u': return read_unicode_escape(p, code_point);
    default: return fail(p + 1, "not an escape");
    }
    return p + 2;
}

const char* scanner::read_unicode_escape(const char* p, unsigned& code_point)
{
    code_point = read_hex4(p + 2);
    if (code_point > 0xFFFF)
        return fail(p, "not an escape");
    if (!is_high_surrogate(code_point) && !is_low_surrogate(code_point))
        return p + 6;
    const unsigned low = other_half(p, code_point);
    if (low == 0)
        return take_half(p, code_point);
    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
    return p + 12;
}

// RFC 8259 §8.2: its grammar has such escapes, although they stand for no character.
const char* scanner::take_half(const char* p, unsigned& code_point)
{
    if (halves_ == half_pairs::refused)
        return fail(p, "a lone surrogate", fault::refused);
    if (halves_ == half_pairs::replaced)
        code_point = 0xFFFD;
    return p + 6;
}

} // namespace partyline
