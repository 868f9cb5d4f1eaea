#pragma once

#include "http/wire/request_head.hpp"

#include <partyline/http/token_source.hpp>

#include <span>

namespace partyline::http {

/// Reads the `WWW-Authenticate` fields of a refusal (RFC 9110 §11.6.1): the first challenge of Bearer, which may be one
/// of several in a field. A field is passed over as a whole where it breaks the grammar, names a parameter of a
/// challenge twice, or has more than 8 KiB.
///
/// Cost: linear.
challenge read_challenge(int status, std::span<const field> fields);

} // namespace partyline::http
