#pragma once

#include "support/line_reader.hpp"

namespace partyline::test {

/// Reads what a gateway has logged so far, so that it never waits for its reader. Throws where a sanitizer has spoken,
/// be it that of a server behind it.
void read_log(line_reader& log);

} // namespace partyline::test
