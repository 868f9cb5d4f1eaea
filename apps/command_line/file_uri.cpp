#include "command_line/file_uri.hpp"

namespace command_line {
namespace {

bool stands_for_itself(char byte)
{
    constexpr std::string_view marks = "/-._~!$&'()*+,;=:@"; // RFC 3986 §3.3, pchar
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           marks.find(byte) != marks.npos;
}

} // namespace

std::string file_uri(std::string_view path)
{
    constexpr char digits[] = "0123456789ABCDEF";
    std::string uri = "file://";
    for (const char byte : path) {
        const auto value = static_cast<unsigned char>(byte);
        if (stands_for_itself(byte))
            uri += byte;
        else
            uri += {'%', digits[value >> 4], digits[value & 15]};
    }
    return uri;
}

} // namespace command_line
