#include "transport/signal_words.hpp"

#include <csignal>
#include <cstring>

namespace partyline {

std::string signal_words(int signal)
{
#ifdef __GLIBC__
    const char* const words = ::sigdescr_np(signal); // null for a number that is none. (Its strsignal translates.)
#else
    const char* const words = ::strsignal(signal);
#endif
    std::string text = "signal " + std::to_string(signal);
    if (words)
        text.append(" (").append(words).append(")");
    return text;
}

} // namespace partyline
