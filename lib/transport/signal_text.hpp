#pragma once

#include <csignal>
#include <cstring>

namespace partyline {

/// What the C library calls a signal, in English. Null for a number that is none, where it says so.
inline const char* signal_text(int signal) noexcept
{
#ifdef __GLIBC__
    return ::sigdescr_np(signal); // its strsignal translates
#else
    return ::strsignal(signal);
#endif
}

} // namespace partyline
