#include "http/websocket/frame.hpp"

#include <cstring>

namespace partyline::http {
namespace {

constexpr unsigned last_bit = 0x80;
constexpr unsigned reserved_bits = 0x70;
constexpr unsigned mask_bit = 0x80;
constexpr unsigned two_bytes = 126; // hold the length
constexpr unsigned eight_bytes = 127;

unsigned byte_at(std::string_view bytes, std::size_t at) noexcept
{
    return static_cast<unsigned char>(bytes[at]);
}

std::uint64_t read_big_endian(std::string_view bytes) noexcept
{
    std::uint64_t number = 0;
    for (const char c : bytes)
        number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

std::size_t write_number(char* to, std::uint64_t number, std::size_t bytes) noexcept
{
    for (std::size_t i = 0; i != bytes; ++i)
        to[i] = static_cast<char>(number >> 8 * (bytes - 1 - i));
    return bytes;
}

bool is_known(unsigned type) noexcept
{
    return type <= 2 || (type >= 8 && type <= 10);
}

// The whole head, and how long it is.
std::size_t write_head(char* to, opcode type, std::size_t length, const mask_key* mask) noexcept
{
    std::size_t size = 2;
    to[0] = static_cast<char>(last_bit | static_cast<unsigned>(type));
    unsigned told = static_cast<unsigned>(length);
    if (length > 0xFFFF) {
        told = eight_bytes;
        size += write_number(to + 2, length, 8);
    } else if (length > frame_head::max_control) {
        told = two_bytes;
        size += write_number(to + 2, length, 2);
    }
    to[1] = static_cast<char>((mask ? mask_bit : 0) | told);
    if (mask) {
        std::memcpy(to + size, mask->data(), mask->size());
        size += mask->size();
    }
    return size;
}

template <class Word>
Word word_of(const mask_key& key) noexcept
{
    char bytes[sizeof(Word)];
    for (std::size_t i = 0; i != sizeof bytes; ++i)
        bytes[i] = key[i % 4];
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

} // namespace

bool is_valid_code(std::uint16_t code) noexcept
{
    const bool is_told_by_nobody = code == 1004 || code == 1005 || code == 1006;
    return (code >= 1000 && code <= 1014 && !is_told_by_nobody) || (code >= 3000 && code <= 4999);
}

frame_head::state frame_head::read(std::string_view bytes) noexcept
{
    if (bytes.size() < 2)
        return state::more;
    const unsigned first = byte_at(bytes, 0);
    const unsigned told = byte_at(bytes, 1) & ~mask_bit;
    if ((first & reserved_bits) != 0 || !is_known(first & 0xF))
        return state::refused;
    type = static_cast<opcode>(first & 0xF);
    is_last = (first & last_bit) != 0;
    is_masked = (byte_at(bytes, 1) & mask_bit) != 0;
    if (is_control() && (told > max_control || !is_last))
        return state::refused;
    const std::size_t extra = told == eight_bytes ? 8 : told == two_bytes ? 2 : 0;
    size = 2 + extra + (is_masked ? mask.size() : 0);
    if (bytes.size() < 2 + extra)
        return state::more;
    length = extra == 0 ? told : read_big_endian(bytes.substr(2, extra));
    const std::uint64_t least = extra == 8 ? 0x10000 : extra == 2 ? two_bytes : 0;
    if (length < least || length >> 63 != 0)
        return state::refused;
    if (bytes.size() < size)
        return state::more;
    if (is_masked)
        std::memcpy(mask.data(), bytes.data() + 2 + extra, mask.size());
    return state::done;
}

std::size_t finish_frame(byte_buffer& out, std::size_t start, opcode type, const mask_key* mask)
{
    const std::size_t length = out.size() - start - usual_head;
    char head[frame_head::max_size];
    const std::size_t size = write_head(head, type, length, mask);
    if (size > usual_head) {
        out.insert(start, {head, size - usual_head});
    } else if (size < usual_head) {
        std::memmove(out.data() + start + size, out.data() + start + usual_head, length);
        out.truncate(start + size + length);
    }
    std::memcpy(out.data() + start, head, size);
    if (mask)
        apply_mask(out.data() + start + size, length, *mask);
    return start + size;
}

void append_control(byte_buffer& out, opcode type, std::string_view content, const mask_key* mask)
{
    char whole[frame_head::max_size + frame_head::max_control];
    const std::size_t size = write_head(whole, type, content.size(), mask);
    content.copy(whole + size, content.size()); // nothing is at no address, which memcpy does not take
    if (mask)
        apply_mask(whole + size, content.size(), *mask);
    out.append({whole, size + content.size()}); // in one piece: all of it or nothing
}

void apply_mask(char* bytes, std::size_t count, const mask_key& key) noexcept
{
    move_unmasked(bytes, bytes, count, key);
}

bool move_unmasked(char* to, const char* from, std::size_t count, const mask_key& key) noexcept
{
    using word_type = std::uint64_t;
    const auto key_word = word_of<word_type>(key);
    word_type seen = 0;
    std::size_t at = 0;
    for (word_type word = 0; count - at >= sizeof word; at += sizeof word) {
        std::memcpy(&word, from + at, sizeof word);
        word ^= key_word;
        seen |= word;
        std::memcpy(to + at, &word, sizeof word);
    }
    word_type last = 0;
    for (; at != count; ++at) {
        const char c = static_cast<char>(from[at] ^ key[at % 4]);
        last |= static_cast<unsigned char>(c);
        to[at] = c;
    }
    return ((seen | last) & 0x8080808080808080) == 0;
}

mask_key rotated(const mask_key& key, std::uint64_t count) noexcept
{
    mask_key next;
    for (std::size_t i = 0; i != key.size(); ++i)
        next[i] = key[(i + count) % key.size()];
    return next;
}

} // namespace partyline::http
