#pragma once

#include <partyline/config.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace partyline {

// Base64 (RFC 4648). Decoding is strict: each sequence of bytes has one text, so no white space, no other alphabet, no
// padding that is missing or too much, and no bits behind the last byte that are not zero.

/// With padding: how images, audio and binary resources travel, and what a field of HTTP has no characters for.
PARTYLINE_EXPORT std::string encode_base64(std::string_view bytes);
PARTYLINE_EXPORT std::optional<std::string> decode_base64(std::string_view text);

/// The alphabet for URLs, without padding: how what only we read again travels.
PARTYLINE_EXPORT std::string encode_base64url(std::string_view bytes);
PARTYLINE_EXPORT std::optional<std::string> decode_base64url(std::string_view text);

} // namespace partyline
