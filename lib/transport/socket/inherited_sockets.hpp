#pragma once

#include <partyline/config.hpp>

#include <vector>

#include <sys/types.h>

namespace partyline {

/// The descriptors of sockets that a service manager has opened for the process of this number, by what it tells in the
/// environment (sd_listen_fds(3)): LISTEN_PID and LISTEN_FDS. Values that make no sense tell of none.
PARTYLINE_EXPORT std::vector<int> inherited_sockets(::pid_t own, const char* listen_pid, const char* listen_fds);

} // namespace partyline
