#pragma once

#include "protocol/json/nesting_stack.hpp"
#include "protocol/json/plain_bytes.hpp"

#include <partyline/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace partyline {

/// Strict RFC 8259 over text in memory, UTF-8 included, iterative. The same scan checks a value or builds one.
///
/// The functions take the place where something begins and return the place behind it, or null when it is not that;
/// what was wrong is then noted here. The text must be followed by a byte that ends every token: a NUL, or where a
/// piece of checked text is scanned again, whatever follows it there. So no single byte is compared with the end first.
class PARTYLINE_EXPORT scanner {
public:
    /// `refused`: it is JSON, but who was told of it makes no value of that.
    enum class fault : std::uint8_t { none, syntax, too_deep, refused };

    /// What an escape of a lone surrogate is decoded to, which JSON has and UTF-8 has not: the three bytes that UTF-8
    /// would have for it (WTF-8), so that it differs from all other text; nothing, a fault of the kind `refused`;
    /// U+FFFD.
    enum class half_pairs : std::uint8_t { kept, refused, replaced };

    scanner() noexcept {}

    void start(std::string_view text) noexcept
    {
        begin_ = text.data();
        end_ = begin_ + text.size();
        fault_ = fault::none;
    }

    /// A checked object that is likely to come again: where it does, `skip_value` compares it and looks no further. It
    /// lives as long as it is expected; an empty one is none. Unless all is checked already, it is nested no deeper
    /// than `expected_room`.
    void expect(std::string_view object) noexcept { expected_ = object; }

    /// From here on; kept at first, for what is compared only. Where text leaves the library, it has to be UTF-8.
    void decode_half_pairs(half_pairs as) noexcept { halves_ = as; }

    static constexpr std::size_t expected_room = 8;

    const char* end() const noexcept { return end_; }

    /// What stopped the scan, in plain words, and where.
    fault problem() const noexcept { return fault_; }
    const char* reason() const noexcept { return reason_; }
    const char* place() const noexcept { return place_; }
    std::size_t offset() const noexcept { return static_cast<std::size_t>(place_ - begin_); }

    /// Notes a fault; always null.
    const char* fail(const char* place, const char* reason, fault what = fault::syntax) noexcept;

    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

    static const char* skip_space(const char* p) noexcept
    {
        while (static_cast<unsigned char>(*p) <= ' ') { // rarely: messages are written without white space
            if (*p != ' ' && *p != '\n' && *p != '\r' && *p != '\t')
                break;
            ++p;
        }
        return p;
    }

    /// The rest of a text that nothing but white space may follow; null when there is more.
    const char* at_end(const char* p) noexcept
    {
        if (p == end_) // of a piece of a text, which white space may follow
            return p;
        p = skip_space(p);
        return p == end_ ? p : fail(p, "expected nothing more");
    }

    /// A string, from its opening quote on.
    const char* skip_string(const char* p);
    /// The same, decoded: `out` points into the text, or into `memory` when there are escapes.
    const char* read_string(const char* p, std::string_view& out, std::string& memory);

    /// The name of a member and the colon: `p` comes back where the value begins.
    const char* read_name(const char* p, std::string_view& out, std::string& memory);
    /// What stands between a name and its value.
    const char* colon(const char* p);

    /// One value, from its first byte on, in which no more than `room` arrays and objects stand one in another.
    const char* skip_value(const char* p, std::size_t room);
    const char* skip_number(const char* p);
    /// The same, told to `sink` as it goes: see value_scan.hpp.
    template <class Sink>
    const char* value(const char* p, Sink& sink, std::size_t room);

private:
    template <class Sink>
    const char* string(const char* p, Sink& sink);
    template <class Sink>
    const char* name(const char* p, std::size_t index, Sink& sink);
    template <class Sink>
    const char* scalar(const char* p, Sink& sink);
    template <class Sink>
    const char* number(const char* p, Sink& sink);
    template <class Sink>
    const char* close(const char* p, nesting_stack::level& innermost, Sink& sink);
    const char* open(const char* p, nesting_stack::level& innermost, std::size_t room);
    const char* skip_expected(const char* p, std::size_t room) const noexcept;
    const char* digits(const char* p);
    const char* literal(const char* p, std::string_view word);

    const char* skip_special_string(const char* p);
    const char* read_special_string(const char* begin, const char* p, std::string_view& out, std::string& memory);
    const char* skip_utf8(const char* p);
    const char* read_escape(const char* p, unsigned& code_point);
    const char* read_unicode_escape(const char* p, unsigned& code_point);
    [[gnu::cold]] const char* take_half(const char* p, unsigned& code_point);

    const char* begin_ = nullptr;
    const char* end_ = nullptr;
    const char* place_ = nullptr;
    const char* reason_ = "";
    fault fault_ = fault::none;
    half_pairs halves_ = half_pairs::kept;
    nesting_stack levels_;
    std::string_view expected_;
    std::string memory_; // of the last decoded string that `value` met
};

inline const char* scanner::skip_string(const char* p)
{
    p = skip_plain(p + 1, end_);
    return *p == '"' ? p + 1 : skip_special_string(p);
}

inline const char* scanner::read_string(const char* p, std::string_view& out, std::string& memory)
{
    const char* const begin = p + 1;
    p = skip_plain(begin, end_);
    if (*p != '"') [[unlikely]]
        return read_special_string(begin, p, out, memory);
    out = std::string_view(begin, static_cast<std::size_t>(p - begin));
    return p + 1;
}

inline const char* scanner::read_name(const char* p, std::string_view& out, std::string& memory)
{
    if (*p != '"') [[unlikely]]
        return fail(p, "expected the name of a member");
    p = read_string(p, out, memory);
    return p ? colon(p) : nullptr;
}

inline const char* scanner::colon(const char* p)
{
    p = skip_space(p);
    return *p == ':' ? skip_space(p + 1) : fail(p, "expected ':'");
}

inline const char* scanner::digits(const char* p)
{
    if (!is_digit(*p)) [[unlikely]]
        return fail(p, "expected a digit");
    do
        ++p;
    while (is_digit(*p));
    return p;
}

inline const char* scanner::literal(const char* p, std::string_view word)
{
    for (const char c : word)
        if (*p++ != c)
            return fail(p - 1, "expected a value");
    return p;
}

// Null where something else stands.
inline const char* scanner::skip_expected(const char* p, std::size_t room) const noexcept
{
    const bool is_there = !expected_.empty() && static_cast<std::size_t>(end_ - p) >= expected_.size() &&
                          std::memcmp(p, expected_.data(), expected_.size()) == 0;
    return is_there && room - levels_.size() >= expected_room ? p + expected_.size() : nullptr;
}

inline const char* scanner::open(const char* p, nesting_stack::level& innermost, std::size_t room)
{
    if (levels_.size() == room) [[unlikely]]
        return fail(p, "nested too deep", fault::too_deep);
    levels_.push(innermost);
    innermost = {0, static_cast<char>(*p + 2)}; // '[' and ']', '{' and '}' are two apart
    return skip_space(p + 1);
}

} // namespace partyline
