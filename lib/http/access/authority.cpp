#include "http/access/authority.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/request_head.hpp"

#include <algorithm>

namespace partyline::http {
namespace {

bool is_address_char(char c) noexcept
{
    const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    return is_digit(c) || is_letter || c == ':' || c == '.';
}

// "[::1]"
bool is_address(std::string_view name) noexcept
{
    return name.size() > 2 && std::all_of(name.begin() + 1, name.end() - 1, is_address_char);
}

bool is_plain_name(std::string_view name) noexcept
{
    if (is_loopback_name(name)) // as it mostly is
        return true;
    return !name.empty() && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_in(c, is_name_char); });
}

} // namespace

std::optional<authority> read_authority(std::string_view text) noexcept
{
    const bool has_brackets = text.starts_with('[');
    const std::size_t end = has_brackets ? text.find(']') + 1 : std::min(text.find(':'), text.size());
    authority result{text.substr(0, end), text.substr(end)}; // without the closing bracket the name is empty
    if (!has_brackets && result.name.ends_with('.'))
        result.name.remove_suffix(1); // a name that is written in full
    if (!(has_brackets ? is_address(result.name) : is_plain_name(result.name)))
        return std::nullopt;
    if (result.port.empty())
        return result;
    constexpr std::size_t most_digits = 5;
    const bool is_port = result.port.front() == ':' && result.port.size() <= 1 + most_digits;
    result.port.remove_prefix(1);
    if (!is_port || !std::all_of(result.port.begin(), result.port.end(), is_digit))
        return std::nullopt;
    return result;
}

bool is_loopback_name(std::string_view name) noexcept
{
    return name == "127.0.0.1" || is_name(name, "localhost") || name == "[::1]";
}

} // namespace partyline::http
