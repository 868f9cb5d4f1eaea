#include "access/tokens/bearer.hpp"

#include "access/ascii_lower.hpp"

#include <algorithm>

namespace partyline::access {
namespace {

bool is_token_character(char c) noexcept
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
           c == '_' || c == '~' || c == '+' || c == '/';
}

} // namespace

std::optional<std::string_view> find_bearer_token(std::string_view authorization) noexcept
{
    constexpr std::string_view scheme = "bearer ";
    const bool is_bearer =
        authorization.size() > scheme.size() && std::equal(scheme.begin(), scheme.end(), authorization.begin(),
                                                           [](char a, char b) { return a == ascii_lower(b); });
    if (!is_bearer)
        return std::nullopt;
    authorization.remove_prefix(scheme.size());
    authorization.remove_prefix(std::min(authorization.find_first_not_of(' '), authorization.size()));
    if (authorization.empty() || authorization.size() > max_token_bytes)
        return std::nullopt;
    return authorization;
}

bool has_token_characters(std::string_view token) noexcept
{
    const std::size_t padding = token.size() - (token.find_last_not_of('=') + 1); // npos + 1 is 0
    token.remove_suffix(padding);
    return !token.empty() && std::all_of(token.begin(), token.end(), is_token_character);
}

} // namespace partyline::access
