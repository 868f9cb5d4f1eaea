#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace partyline::telemetry {

/// The most bytes of a peer's text that are shown.
inline constexpr std::size_t longest_shown = 256;

/// Whether all of it is printable ASCII that a string of JSON holds as it is.
bool is_plain(std::string_view text) noexcept;
/// Appends text as a string of JSON: as `printable` shows it, and cut after so many bytes.
void append_text(std::string& out, std::string_view text, std::size_t longest = longest_shown);
/// The same of a text of a peer's, such as a URI, without what would let its reader act as the peer: see `redacted`.
void append_peer_text(std::string& out, std::string_view text);
/// Appends an id of JSON-RPC, which is JSON already, as it is; a long or a strange one as text; null for an empty one.
void append_id(std::string& out, std::string_view id);

} // namespace partyline::telemetry
