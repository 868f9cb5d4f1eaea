#pragma once

#include "mcp/state/hmac.hpp"

#include <partyline/protocol/json_text.hpp>

namespace partyline::mcp {

/// A digest of a request's arguments: the same for texts that no handler can tell apart, another one for all others.
///
/// White space, the order of members and the way in which a string is escaped do not count. A number counts by its
/// exact text: 1, 1.0 and 1e0 are three, since a handler may have it as text, and integers past 64 bits stay different.
/// A name that comes twice counts twice, in its order. Absent arguments and null count as an object without members.
///
/// Costs n log n for n members, and no recursion: nesting costs what any other text of that length does.
sha256_digest digest_of_arguments(json_view arguments);

} // namespace partyline::mcp
