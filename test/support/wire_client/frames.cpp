#include "frames.hpp"

#include "failure.hpp"
#include "quote.hpp"

#include <cstdint>

namespace wire_client {
namespace {

// RFC 6455 §5.2.
constexpr unsigned last_bit = 0x80;
constexpr unsigned mask_bit = 0x80;
constexpr unsigned opcode_bits = 0x0F;
constexpr unsigned text_type = 1;
constexpr unsigned close_type = 8;
constexpr std::size_t two_bytes = 126; // hold the length
constexpr std::size_t eight_bytes = 127;

unsigned byte_at(std::string_view bytes, std::size_t at)
{
    return static_cast<unsigned char>(bytes[at]);
}

void append_number(std::string& to, std::uint64_t number, int bytes)
{
    while (bytes-- > 0)
        to += static_cast<char>(number >> 8 * bytes);
}

void append_length(std::string& to, std::size_t size)
{
    if (size < two_bytes) {
        to += static_cast<char>(mask_bit | size);
    } else if (size <= 0xFFFF) {
        to += static_cast<char>(mask_bit | two_bytes);
        append_number(to, size, 2);
    } else {
        to += static_cast<char>(mask_bit | eight_bytes);
        append_number(to, size, 8);
    }
}

std::size_t length_bytes(std::size_t told)
{
    return told == eight_bytes ? 8 : told == two_bytes ? 2 : 0;
}

} // namespace

// One key does for all: nothing that is sent here is to be hidden from anybody.
std::string frame_of(std::string_view message)
{
    constexpr std::string_view key = "\x37\xfa\x21\x3d";
    std::string frame(1, static_cast<char>(last_bit | text_type));
    append_length(frame, message.size());
    frame += key;
    for (std::size_t i = 0; i < message.size(); ++i)
        frame += static_cast<char>(message[i] ^ key[i % key.size()]);
    return frame;
}

void frame_reader::append(std::string_view bytes, inbox& into)
{
    text_ += bytes;
    while (is_open_ ? take_frame(into) : take_answer()) {
        // Until what is left is not complete.
    }
    text_.erase(0, begin_);
    begin_ = 0;
}

bool frame_reader::take_answer()
{
    constexpr std::string_view head_end = "\r\n\r\n";
    const std::size_t end = text_.find(head_end);
    if (end == std::string::npos)
        return false;
    if (!text_.starts_with("HTTP/1.1 101 "))
        throw failure("does not speak WebSocket: " + quote(text_));
    begin_ = end + head_end.size();
    is_open_ = true;
    return true;
}

bool frame_reader::take_frame(inbox& into)
{
    const std::string_view bytes = std::string_view(text_).substr(begin_);
    if (bytes.size() < 2)
        return false;
    if (byte_at(bytes, 1) & mask_bit)
        throw failure("masks what it sends, which clients alone do");
    std::size_t length = byte_at(bytes, 1);
    const std::size_t head = 2 + length_bytes(length);
    if (bytes.size() < head)
        return false;
    if (head > 2) {
        length = 0;
        for (std::size_t i = 2; i < head; ++i)
            length = length << 8 | byte_at(bytes, i);
    }
    if (bytes.size() - head < length)
        return false;
    begin_ += head + length;
    take_content(byte_at(bytes, 0), bytes.substr(head, length), into);
    return true;
}

void frame_reader::take_content(unsigned first, std::string_view content, inbox& into)
{
    const unsigned type = first & opcode_bits;
    if (type == close_type)
        throw failure("has ended the WebSocket: " + quote(content));
    if (type > close_type)
        return;
    message_ += content;
    if (!(first & last_bit))
        return;
    message_.erase(message_.find_last_not_of("\r\n ") + 1);
    into.append(message_);
    into.append("\n");
    message_.clear();
    ++messages_;
}

} // namespace wire_client
