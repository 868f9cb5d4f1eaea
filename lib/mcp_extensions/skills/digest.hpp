#pragma once

#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// "sha256:" and 64 hexadecimal digits in lower case, as entries of skills have it. Throws `std::runtime_error` where
/// libcrypto has no SHA-256.
std::string digest_of(std::string_view bytes);
/// Whether it has that form.
bool is_digest(std::string_view text) noexcept;

/// The bytes that Base64 with padding (RFC 4648 §4) stands for; false for any other text.
bool decode_base64(std::string_view text, std::string& bytes);

} // namespace partyline::mcp::skills
