#pragma once

#include <string_view>

namespace partyline {

/// What some editors and programs write in front of UTF-8. A JSON text has none, and its readers may skip it (RFC 8259
/// §8.1).
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

} // namespace partyline
