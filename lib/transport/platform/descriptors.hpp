#pragma once

#include "session/owned_descriptor.hpp"

#include <sys/socket.h>
#include <sys/types.h>

namespace partyline {

// What opens descriptors close-on-exec from their first moment, as far as the system can do that, each under another
// name. All fail as the system's calls do: by -1, or none, and errno.

int create_socket(int family, int type, int protocol) noexcept;
/// Two Unix sockets that are connected with each other.
int open_socket_pair(int (&pair)[2]) noexcept;
/// The end to read from first.
int open_pipe(int (&pair)[2]) noexcept;
/// accept, and the connection is non-blocking.
int accept_connection(int listening, sockaddr* from, socklen_t* size) noexcept;

/// Readable when a process has ended, which need not be a child of ours, and never about another that has got its
/// number since.
owned_descriptor open_process_end(pid_t process) noexcept;

} // namespace partyline
