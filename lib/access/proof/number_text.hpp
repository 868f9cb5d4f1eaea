#pragma once

#include <partyline/protocol/byte_buffer.hpp>

#include <string_view>

namespace partyline::access {

/// Appends a number of JSON as ECMAScript writes the double that it is (RFC 8785 §3.2.2.3). False where it is none that
/// proofs may cover, see `append_canonical`. `is_integer`: it has neither fraction nor exponent.
bool append_canonical_number(byte_buffer& out, std::string_view number, bool is_integer);

} // namespace partyline::access
