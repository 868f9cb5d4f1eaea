#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::utf8 {

/// The length of the well-formed sequence at `p`, 0 when there is none (Unicode, table 3-7: no overlong forms, no
/// surrogates, nothing past U+10FFFF). Reads no further than the first byte that does not fit, so a NUL stops it.
PARTYLINE_EXPORT std::size_t sequence_length(const char* p) noexcept;

/// The same for text that nothing stops.
PARTYLINE_EXPORT std::size_t sequence_length(const char* p, const char* end) noexcept;

/// The first byte from `p` on that is ASCII, or part of nothing well-formed. Something must stop it, as above.
const char* skip_sequences(const char* p) noexcept;
/// The same for text that nothing stops.
const char* skip_sequences(const char* p, const char* end) noexcept;

void append(std::string& out, unsigned code_point);

/// Text, and of a longer one than `max_bytes` the beginning with `...` behind it, cut between characters. What of it is
/// not well-formed becomes U+FFFD, a byte each.
PARTYLINE_EXPORT std::string shortened(std::string_view text, std::size_t max_bytes);

inline constexpr char replacement[] = "\xEF\xBF\xBD"; // U+FFFD

} // namespace partyline::utf8
