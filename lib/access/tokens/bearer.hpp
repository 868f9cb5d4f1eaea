#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace partyline::access {

/// The most bytes that a token may have.
inline constexpr std::size_t max_token_bytes = std::size_t(8) << 10;

/// Finds the token in the value of an Authorization field (RFC 6750 §2.1): "Bearer", in any case, spaces, and the token.
/// Nothing where there is something else, or a token that is too long. Its characters are not looked at.
std::optional<std::string_view> find_bearer_token(std::string_view authorization) noexcept;

/// Whether all characters are those of a token: `token68` of RFC 9110 §11.2.
bool has_token_characters(std::string_view token) noexcept;

} // namespace partyline::access
