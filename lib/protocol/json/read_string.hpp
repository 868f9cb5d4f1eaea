#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>

#include <string>
#include <string_view>

namespace partyline {

/// The string that a checked text is; false where it is none, or one that has no UTF-8 (a lone surrogate). `out` is in
/// the text, or, where that has escapes, in `memory`.
PARTYLINE_EXPORT bool read_string(json_view from, std::string_view& out, std::string& memory);

} // namespace partyline
