#pragma once

#include <partyline/protocol/byte_buffer.hpp>

#include <string_view>

namespace partyline {

/// What becomes of bytes that are no UTF-8.
enum class bad_bytes { refuse, replace };

/// Appends `text` as a JSON string. False when it was to refuse and had to: `out` then holds a part of it.
bool append_string(byte_buffer& out, std::string_view text, bad_bytes policy);

/// Appends the name of a member, with the comma or bracket before it and the colon behind it. False when it is no
/// UTF-8.
bool append_name(byte_buffer& out, char mark, std::string_view name);

} // namespace partyline
