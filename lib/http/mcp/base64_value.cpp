#include "http/mcp/base64_value.hpp"

#include "protocol/json/base64.hpp"

#include <algorithm>

namespace partyline::http {
namespace {

constexpr std::string_view prefix = "=?base64?";
constexpr std::string_view suffix = "?=";

} // namespace

std::string encode_field_value(std::string_view text)
{
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
    const bool has_outer_blank = text.starts_with(' ') || text.ends_with(' ');
    if (is_plain && !has_outer_blank && !text.starts_with(prefix))
        return std::string(text);
    return std::string(prefix).append(encode_base64(text)).append(suffix);
}

std::optional<std::string> decode_field_value(std::string_view value)
{
    const bool is_encoded =
        value.size() >= prefix.size() + suffix.size() && value.starts_with(prefix) && value.ends_with(suffix);
    if (!is_encoded)
        return std::string(value);
    return decode_base64(value.substr(prefix.size(), value.size() - prefix.size() - suffix.size()));
}

} // namespace partyline::http
