#pragma once

#include "unique_fd.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace partyline::test {

// Every descriptor made here is close-on-exec and lies above 2, so that a child gets only what it is given.

struct pipe_ends {
    unique_fd read;
    unique_fd write;
};
pipe_ends make_pipe();
/// Makes a FIFO at `path` and opens both ends.
pipe_ends make_fifo(const std::filesystem::path& path);
/// As little as the system allows, one page in practice.
void shrink_pipe(int fd);

struct fd_pair {
    unique_fd ours;
    unique_fd theirs;
};
fd_pair make_socket_pair();

/// Both ends of what connects this process with a server's standard input and output.
struct wire {
    unique_fd server_in;
    unique_fd server_out;
    unique_fd to_server;
    unique_fd from_server;
};
wire pipe_wire();
/// A socket pair for each direction, as Node's hosts use them.
wire socket_wire();

/// A pseudo terminal that passes bytes on as they are: `ours` is the master. In lines: ^D ends input.
fd_pair make_raw_terminal();
fd_pair make_line_terminal();

unique_fd open_file(const std::filesystem::path& path, int flags);
/// A file without a name.
unique_fd make_memory_file();
/// Another descriptor of the same description.
unique_fd duplicate(int fd);

std::string read_file(const std::filesystem::path& path);
/// All of the file behind `fd`, whose offset stays.
std::string read_whole(int fd);
void write_file(const std::filesystem::path& path, std::string_view content);

/// The status flags (O_NONBLOCK, O_APPEND, ...) of the description.
int status_flags(int fd);
void set_nonblocking(int fd);

/// Throws `std::system_error` with `errno` when `result` is negative.
int checked(int result, const char* what);

} // namespace partyline::test
