#include "mcp/state/cursor.hpp"

#include "protocol/json/base64.hpp"

namespace partyline::mcp {
namespace {

// A cursor is base64url(number || code), the number with its highest byte first.
constexpr std::size_t number_bytes = 8;
constexpr std::size_t cursor_code_bytes = 16;
constexpr std::size_t cursor_digits = (number_bytes + cursor_code_bytes) / 3 * 4;

std::string write_number(std::uint64_t number)
{
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes.push_back(static_cast<char>(number >> shift & 0xFF));
    return bytes;
}

std::uint64_t read_number(std::string_view bytes)
{
    std::uint64_t number = 0;
    for (const char c : bytes)
        number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

// The number comes first, and always has eight bytes: so no two pairs are one text.
std::string signed_text(std::string_view number, std::string_view list)
{
    return std::string(number).append(list);
}

} // namespace

list_cursors::list_cursors(const state_keys& keys) : signer_(keys, "partyline: cursor of a list, 1") {}

std::string list_cursors::make(std::string_view list, std::uint64_t last_seen) const
{
    const std::string number = write_number(last_seen);
    const sha256_digest code = signer_.sign(signed_text(number, list));
    return encode_base64url(number + std::string(bytes_of(code).substr(0, cursor_code_bytes)));
}

std::optional<std::uint64_t> list_cursors::read(std::string_view list, std::string_view cursor) const
{
    if (cursor.size() != cursor_digits)
        return std::nullopt;
    const std::optional<std::string> bytes = decode_base64url(cursor);
    if (!bytes)
        return std::nullopt;
    const std::string_view number = std::string_view(*bytes).substr(0, number_bytes);
    if (!signer_.has_signed(signed_text(number, list), std::string_view(*bytes).substr(number_bytes)))
        return std::nullopt;
    return read_number(number);
}

} // namespace partyline::mcp
