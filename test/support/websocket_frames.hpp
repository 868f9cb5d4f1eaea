#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Frames of WebSocket, right ones and others, byte by byte and not by the library's own code.

namespace websocket_frames {

enum class mask : std::uint8_t { none, usual };

/// How a frame is to be made: as it should be, unless told otherwise.
struct frame {
    unsigned type = 1;
    std::string content = {};
    mask masked = mask::usual;
    bool is_last = true;
    unsigned reserved = 0;     // of the three bits
    unsigned length_bytes = 0; // 1, 2 or 8 that hold the length; 0: as few as may be
    std::uint64_t told = 0;    // in place of the length, where `is_told`
    bool is_told = false;
};

inline std::string bytes_of(const frame& f)
{
    const std::string key = f.masked == mask::usual ? std::string("\x37\xfa\x21\x3d") : std::string();
    const std::uint64_t length = f.is_told ? f.told : f.content.size();
    const unsigned needed = length < 126 ? 1 : length < 65536 ? 2 : 8;
    const unsigned used = f.length_bytes != 0 ? f.length_bytes : needed;
    std::string all;
    all += static_cast<char>((f.is_last ? 0x80U : 0U) | f.reserved << 4 | f.type);
    const unsigned first = used == 1 ? static_cast<unsigned>(length) : used == 2 ? 126U : 127U;
    all += static_cast<char>((key.empty() ? 0U : 0x80U) | first);
    for (unsigned left = used == 1 ? 0 : used; left != 0; --left)
        all += static_cast<char>(length >> 8 * (left - 1));
    all += key;
    for (std::size_t i = 0; i != f.content.size(); ++i)
        all += static_cast<char>(key.empty() ? f.content[i] : f.content[i] ^ key[i % 4]);
    return all;
}

inline std::string text(std::string content, mask masked = mask::usual)
{
    return bytes_of({.type = 1, .content = std::move(content), .masked = masked});
}
/// One of several frames of a message.
inline std::string part(unsigned type, std::string content, bool is_last)
{
    return bytes_of({.type = type, .content = std::move(content), .is_last = is_last});
}
inline std::string ping(std::string content)
{
    return bytes_of({.type = 9, .content = std::move(content)});
}
inline std::string closing(unsigned code, std::string reason = {})
{
    const std::string number{static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
    return bytes_of({.type = 8, .content = number + reason});
}

} // namespace websocket_frames
