#pragma once

#include "protocol/json/scanner.hpp"

// The part of the scanner that is compiled for each sink. A sink says by `decodes` whether it wants strings at all, and
// by `may_skip` whether it need not be told of what is expected. It is told every value in the order in which they end,
// a name before its member, and may refuse a number or an object by false. With a name comes where it stands and how
// many members the object has before it.

namespace partyline {

// Ends the innermost array or object. Gcc 12 otherwise leaves it out of the loop over the values: 20 instructions each.
template <class Sink>
[[gnu::always_inline]] inline const char* scanner::close(const char* p, nesting_stack::level& innermost, Sink& sink)
{
    const nesting_stack::level ended = innermost;
    if (*p != ended.close) [[unlikely]]
        return fail(p, ended.close == ']' ? "expected ',' or ']'" : "expected ',' or '}'");
    innermost = levels_.pop();
    if (ended.close == ']')
        sink.array(ended.count);
    else if (!sink.object(ended.count)) [[unlikely]]
        return fail(p, "an object whose names collide", fault::refused);
    return p + 1;
}

template <class Sink>
const char* scanner::string(const char* p, Sink& sink)
{
    if constexpr (Sink::decodes) {
        std::string_view decoded;
        if ((p = read_string(p, decoded, memory_)))
            sink.string(decoded);
        return p;
    } else {
        return skip_string(p);
    }
}

template <class Sink>
const char* scanner::name(const char* p, [[maybe_unused]] std::size_t index, Sink& sink)
{
    if constexpr (Sink::decodes) {
        const char* const begin = p;
        std::string_view decoded;
        if ((p = read_name(p, decoded, memory_)))
            sink.key(decoded, begin, index);
        return p;
    } else {
        if (*p != '"') [[unlikely]]
            return fail(p, "expected the name of a member");
        p = skip_string(p);
        return p ? colon(p) : nullptr;
    }
}

template <class Sink>
const char* scanner::number(const char* p, Sink& sink)
{
    const char* const begin = p;
    bool is_integer = true;
    if (*p == '-')
        ++p;
    p = *p == '0' ? p + 1 : digits(p);
    if (p && *p == '.') {
        is_integer = false;
        p = digits(p + 1);
    }
    if (p && (*p == 'e' || *p == 'E')) {
        is_integer = false;
        p = digits(p[1] == '+' || p[1] == '-' ? p + 2 : p + 1);
    }
    if (!p || sink.number({begin, static_cast<std::size_t>(p - begin)}, is_integer))
        return p;
    return fail(begin, "a number that no double can hold", fault::refused);
}

template <class Sink>
const char* scanner::scalar(const char* p, Sink& sink)
{
    if (*p == '"')
        return string(p, sink);
    if (*p == '-' || is_digit(*p))
        return number(p, sink);
    switch (*p) {
    case 't': sink.boolean(true); return literal(p, "true");
    case 'f': sink.boolean(false); return literal(p, "false");
    case 'n': sink.null(); return literal(p, "null");
    default: return fail(p, "expected a value");
    }
}

template <class Sink>
const char* scanner::value(const char* p, Sink& sink, std::size_t room)
{
    nesting_stack::level innermost; // here and not on the stack, so that it stays in registers
    levels_.clear();
    for (;;) { // each turn takes one value, with its name when it is a member
        if (innermost.close == '}' && !(p = name(p, innermost.count, sink)))
            return nullptr;
        if (*p != '{' && *p != '[') {
            p = scalar(p, sink);
        } else if (const char* const behind = Sink::may_skip ? skip_expected(p, room) : nullptr) {
            p = behind;
        } else {
            if (!(p = open(p, innermost, room)))
                return nullptr;
            if (*p != innermost.close)
                continue;
            p = close(p, innermost, sink);
        }
        for (;; p = close(p, innermost, sink)) { // a value has ended, and whatever it was the last of
            if (!p || innermost.is_outermost())
                return p;
            ++innermost.count;
            p = skip_space(p);
            if (*p == ',')
                break;
        }
        p = skip_space(p + 1);
    }
}

} // namespace partyline
