#pragma once

#include <string_view>

namespace partyline::http {

/// The words that a status line has for those that this server sends (RFC 9110 §15).
std::string_view reason_phrase(int status) noexcept;

} // namespace partyline::http
