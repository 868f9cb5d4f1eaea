#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>

namespace partyline::access {

/// Reads one JSON value, strictly (RFC 8259, UTF-8), nested no deeper than `depth`, in which no object has a name twice
/// but for comments (`"//"`). Throws `file_error`, with line and column of what is no JSON, and the place of a repeated
/// name.
boost::json::value read_checked_json(const std::string& text, std::size_t depth);

} // namespace partyline::access
