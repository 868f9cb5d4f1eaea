#pragma once

#include "access/digest.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <optional>
#include <string_view>

namespace partyline::access {

/// Appends a JSON text in its canonical form (RFC 8785, JCS): no white space, members sorted by the UTF-16 code units
/// of their names, strings with the fewest escapes, numbers as ECMAScript writes them. The text is followed by a byte
/// that ends each token, as `scanner` says.
///
/// False, with a part of it appended, for what is no JSON, and for what has no form that all readers take for the same:
/// - a name that comes twice in an object, and a lone surrogate
/// - a number that no double holds: a whole one of up to 64 bits, however it is written, has to be exactly that of a
///   double; a longer one without fraction and exponent has to be written as ECMAScript does; beyond the range of
///   doubles there is none
///
/// Costs n log n for n members, a few times the memory of the text, and no recursion.
bool append_canonical(byte_buffer& out, std::string_view json);

/// The SHA-256 of a call's params as proofs have it: of their canonical form, without the members `_meta`,
/// `workDoneToken` and `partialResultToken` of an object, which gateways and the caller's own session set. Of params
/// that are absent or null it is that of `{}`. Nothing where they have no such form.
std::optional<token_digest> digest_of_params(std::string_view params);

} // namespace partyline::access
