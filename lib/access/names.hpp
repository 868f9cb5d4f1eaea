#pragma once

#include <cstddef>
#include <string_view>

namespace partyline::access {

// The rules for names of peers and scopes, wherever they come from: the file, a token, an authenticator.

/// Of one peer or rule, without what they imply.
inline constexpr std::size_t max_own_scopes = 256;

/// Whether a text names a principal: 1 to 256 bytes, of which people see each.
bool is_principal(std::string_view text);
/// Whether a text is a scope: RFC 6749 §3.3, at most 256 bytes.
bool is_scope(std::string_view text) noexcept;

} // namespace partyline::access
