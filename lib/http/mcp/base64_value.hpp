#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

/// The text that the value of a field stands for: `=?base64?SGVsbG8=?=` is "Hello" (MCP 2026-07-28, Streamable HTTP,
/// value encoding), anything else is itself. Empty where what should be base64 is not.
std::optional<std::string> decode_field_value(std::string_view value);

/// A text as the value of a field: unchanged, or encoded if it has characters other than visible ASCII and inner
/// blanks, or looks encoded.
std::string encode_field_value(std::string_view text);

} // namespace partyline::http
