#pragma once

#include <string>
#include <string_view>

namespace wire_client {

/// What came over the wire, for a message to the user: on one line, printable, and not longer than one can read.
std::string quote(std::string_view text);

/// 1234567 as "1,234,567".
std::string grouped(unsigned long long number);

/// A word for the shell that stands for exactly `text`.
std::string shell_word(std::string_view text);

} // namespace wire_client
