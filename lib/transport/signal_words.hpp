#pragma once

#include <string>

namespace partyline {

/// "signal 15 (Terminated)", in English.
std::string signal_words(int signal);

} // namespace partyline
