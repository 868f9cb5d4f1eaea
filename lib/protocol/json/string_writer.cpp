#include "protocol/json/string_writer.hpp"

#include "protocol/json/copy_few.hpp"
#include "protocol/json/plain_bytes.hpp"
#include "protocol/json/utf8.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <cstring>

namespace partyline {
namespace {

// Beyond a byte for a byte: the quotes, the longest escape, and that blocks are stored whole, whatever part counts.
constexpr std::size_t slack = 2 + 6 + plain_block;

/// Copies plain bytes from `p` on until one is not plain or the text is over; `to` follows.
const char* copy_plain(const char* p, const char* end, char*& to)
{
    for (; end - p >= plain_block; p += plain_block, to += plain_block) {
        const byte_block block = load_block(p);
        std::memcpy(to, &block, sizeof block);
        if (const block_matches special = special_bytes(block)) {
            to += special.first();
            return p + special.first();
        }
    }
    const auto rest = static_cast<unsigned>(end - p);
    if (rest == 0)
        return p;
    copy_few(to, p, rest); // and looked at where it was copied to: there a whole block may be read
    block_matches special = special_bytes(load_block(to));
    special.add(rest);
    to += special.first();
    return p + special.first();
}

/// The letter of a short escape, 0 without one.
char escape_letter(char c)
{
    switch (c) {
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return 0;
    }
}

char* write_escape(char c, char* to)
{
    constexpr char digits[] = "0123456789abcdef";
    *to++ = '\\';
    if (c == '"' || c == '\\') [[likely]] {
        *to++ = c;
        return to;
    }
    if (const char letter = escape_letter(c)) {
        *to++ = letter;
        return to;
    }
    std::memcpy(to, "u00", 3);
    to[3] = digits[static_cast<unsigned char>(c) >> 4];
    to[4] = digits[c & 0x0F];
    return to + 5;
}

/// Copies well-formed sequences from `p` on; `p` and `to` follow. False when there is none.
bool copy_sequences(const char*& p, const char* end, char*& to)
{
    const char* const begin = p;
    p = utf8::skip_sequences(p, end);
    to = std::copy(begin, p, to);
    return p != begin;
}

char* write_replacement(char* to)
{
    constexpr std::size_t size = sizeof utf8::replacement - 1;
    std::memcpy(to, utf8::replacement, size);
    return to + size;
}

} // namespace

bool append_string(byte_buffer& out, std::string_view text, bad_bytes policy)
{
    const char* p = text.data();
    const char* const end = p + text.size();
    char* begin = out.prepare(text.size() + slack);
    char* to = begin;
    *to++ = '"';
    while ((p = copy_plain(p, end, to)) != end) {
        if (static_cast<unsigned char>(*p) < 0x80)
            to = write_escape(*p++, to);
        else if (copy_sequences(p, end, to))
            continue;
        else if (policy == bad_bytes::refuse)
            return false;
        else {
            to = write_replacement(to);
            ++p;
        }
        // These are longer than what they stand for.
        const std::size_t needed = static_cast<std::size_t>(end - p) + slack;
        if (static_cast<std::size_t>(out.data() + out.capacity() - to) >= needed) [[likely]]
            continue;
        out.commit(static_cast<std::size_t>(to - begin));
        begin = to = out.prepare(needed);
    }
    *to++ = '"';
    out.commit(static_cast<std::size_t>(to - begin));
    return true;
}

bool append_name(byte_buffer& out, char mark, std::string_view name)
{
    char* const begin = out.prepare(name.size() + slack + 2);
    char* to = begin;
    *to++ = mark;
    *to++ = '"';
    const char* const end = name.data() + name.size();
    if (copy_plain(name.data(), end, to) == end) [[likely]] {
        *to++ = '"';
        *to++ = ':';
        out.commit(static_cast<std::size_t>(to - begin));
        return true;
    }
    out.push_back(mark);
    const bool is_written = append_string(out, name, bad_bytes::refuse);
    out.push_back(':');
    return is_written;
}

void write_string(byte_buffer& out, std::string_view text)
{
    append_string(out, text, bad_bytes::replace);
}

std::string to_valid_utf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    const auto is_part = [](char c) { return static_cast<signed char>(c) < 0; }; // of a longer sequence
    for (;;) {
        const auto plain = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_part) - text.begin());
        valid.append(text.data(), plain);
        text.remove_prefix(plain);
        if (text.empty())
            return valid;
        const std::size_t length = utf8::sequence_length(text.data(), text.data() + text.size());
        valid += length == 0 ? std::string_view(utf8::replacement) : text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

} // namespace partyline
