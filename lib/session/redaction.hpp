#pragma once

#include <partyline/config.hpp>

#include <string>
#include <string_view>

namespace partyline {

/// Text about a request, for a log, an error or a trace of spans, without what would let its reader act as somebody
/// else: "[redacted]" in place of the values of the fields Authorization (also Proxy-), Cookie (also Set-),
/// Mcp-Session-Id and Partyline-Proof, and of the parameters access_token, refresh_token, client_secret and code, be
/// they in a head, a query, a form or JSON, and of the password of a user in an address. What ends a value is not known
/// in every text: rather more is left out. A `code` counts in a query or a form, and as a string in JSON: elsewhere it
/// is the code of an error.
PARTYLINE_EXPORT std::string redacted(std::string_view text);

/// A message as it is, but for the proofs of signed calls (`_meta`, "partyline/proof"), which are good for one call.
PARTYLINE_EXPORT std::string without_proofs(std::string_view message);

} // namespace partyline
