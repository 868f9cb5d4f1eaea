#pragma once

#include <partyline/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline {

/// Text of a peer's or a user's for a person to read: on one line, and nothing in it controls a terminal or hides other
/// text. Control characters (C0, DEL, C1), bidirectional controls and the line and paragraph separators become escapes
/// as JSON has them (`\u001b`), so that JSON stays JSON but for white space between its values; bytes that are not
/// UTF-8 become U+FFFD. More than `max_bytes` of that are cut off between characters, with `...` in their place.
///
///     show(partyline::printable("a\x1b[2J\nb")); // a\u001b[2J\u000ab
PARTYLINE_EXPORT std::string printable(std::string_view text, std::size_t max_bytes = std::string_view::npos);

} // namespace partyline
