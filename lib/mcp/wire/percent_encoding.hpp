#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace partyline::mcp {

/// Letters, digits and `-._~` (RFC 3986 §2.3).
bool is_unreserved(char c) noexcept;
/// What delimits the parts of a URI: `:/?#[]@!$&'()*+,;=` (§2.2).
bool is_reserved(char c) noexcept;

/// Nothing when a "%" is without its two hexadecimal digits.
std::optional<std::string> percent_decode(std::string_view text);

/// What stands for itself in percent-encoded text.
enum class kept_characters { unreserved, unreserved_and_reserved };
std::string percent_encode(std::string_view text, kept_characters kept);

} // namespace partyline::mcp
