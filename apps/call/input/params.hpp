#pragma once

#include <partyline/protocol/json_text.hpp>

#include <functional>
#include <string>
#include <vector>

namespace call {

/// Reads a file that a word names, "-" for standard input. Throws `std::exception` with a text for the user.
using file_reader = std::function<std::string(const std::string& file)>;

/// The params that the words behind the method are.
///
/// - No word: none.
/// - One word that begins as a JSON array or object does: the params as they are. So do `@FILE` and `-` as the only
///   word, which name a file with them, and standard input.
/// - Words that are all name=value: an object. A value that is no JSON is a string; `@FILE` is what the file holds, in
///   the same way.
/// - Else each word is an element of an array: JSON where it is JSON, `@FILE` what the file holds, anything else a
///   string.
///
/// A word that is JSON is never taken for name=value or @FILE: '"a=b"' and '"@x"' are strings. Nor is @FILE taken for
/// name=value, whatever the file is called. Throws `std::exception` with a text for the user; also for name=value
/// beside other words, and for an element that begins as an array or object does and is none.
partyline::json_text params_of(const std::vector<std::string>& words, const file_reader& read);

} // namespace call
