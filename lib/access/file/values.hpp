#pragma once

#include "access/file/access_file.hpp"
#include "access/file/node.hpp"

#include <optional>
#include <string>
#include <vector>

namespace partyline::access {

// The kinds of values of which the access file is made. What is none throws `file_error`.

std::string read_principal(const node& from);
std::string read_scope(const node& from);
/// Sorted, each once.
std::vector<std::string> read_scopes(const node& from);
name_pattern read_pattern(const node& from);
std::vector<name_pattern> read_patterns(const node& from);
/// https, or http on loopback, without fragment and characters that a header field would have to quote.
std::string read_url(const node& from);
std::chrono::system_clock::time_point read_time(const node& from);

} // namespace partyline::access
