#include "support/websocket_client.hpp"

#include "support/websocket_frames.hpp"

#include <cstddef>
#include <stdexcept>

namespace partyline::test {
namespace {

std::size_t number_in(std::string_view bytes)
{
    std::size_t number = 0;
    for (const char c : bytes)
        number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

} // namespace

unsigned heard_frame::code() const
{
    return type == 8 && content.size() >= 2 ? static_cast<unsigned>(number_in(content.substr(0, 2))) : 0;
}

http_response websocket_client::ask(std::string_view path, std::string_view fields)
{
    http_.request("GET", path,
                  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                      std::string(fields));
    http_response found = http_.head();
    if (const std::string length = found.field("content-length"); !length.empty())
        found.body = http_.read_bytes(std::stoul(length));
    return found;
}

void websocket_client::open(std::string_view path, std::string_view fields)
{
    const http_response found = ask(path, fields);
    if (found.status != 101)
        throw std::runtime_error("refused: " + found.head + found.body);
}

void websocket_client::say(std::string_view text)
{
    send(websocket_frames::text(std::string(text)));
}

heard_frame websocket_client::next()
{
    const std::string head = http_.read_bytes(2);
    if (head.size() != 2)
        return {};
    if ((static_cast<unsigned char>(head[0]) & 0xF0U) != 0x80U)
        throw std::runtime_error("a frame that is not whole, or has reserved bits");
    std::size_t size = static_cast<unsigned char>(head[1]);
    if (size > 127)
        throw std::runtime_error("a server's frame is masked");
    if (size >= 126)
        size = number_in(http_.read_bytes(size == 126 ? 2 : 8));
    return {static_cast<unsigned char>(head[0]) & 0xFU, http_.read_bytes(size)};
}

std::string websocket_client::next_text()
{
    const heard_frame found = next();
    if (found.type != 1)
        throw std::runtime_error("no text but a frame of type " + std::to_string(found.type));
    return found.content;
}

} // namespace partyline::test
