#include "descriptors.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>

namespace partyline::test {

namespace {

// A test run by a host that closed its own standard descriptors would otherwise be handed those numbers.
unique_fd above_stdio(int fd)
{
    unique_fd low(fd);
    return unique_fd(checked(::fcntl(low.get(), F_DUPFD_CLOEXEC, 3), "fcntl"));
}

fd_pair make_terminal()
{
    unique_fd master = above_stdio(checked(::posix_openpt(O_RDWR | O_NOCTTY), "posix_openpt"));
    checked(::grantpt(master.get()), "grantpt");
    checked(::unlockpt(master.get()), "unlockpt");
    unique_fd slave = above_stdio(checked(::open(::ptsname(master.get()), O_RDWR | O_NOCTTY), "open terminal"));
    return {std::move(master), std::move(slave)};
}

} // namespace

int checked(int result, const char* what)
{
    if (result < 0)
        throw std::system_error(errno, std::system_category(), what);
    return result;
}

pipe_ends make_pipe()
{
    std::array<int, 2> ends{};
    checked(::pipe(ends.data()), "pipe");
    unique_fd read = above_stdio(ends[0]);
    return {std::move(read), above_stdio(ends[1])};
}

pipe_ends make_fifo(const std::filesystem::path& path)
{
    checked(::mkfifo(path.c_str(), 0600), "mkfifo");
    // A blocking open would wait for the other end.
    unique_fd read = open_file(path, O_RDONLY | O_NONBLOCK);
    unique_fd write = open_file(path, O_WRONLY);
    checked(::fcntl(read.get(), F_SETFL, status_flags(read.get()) & ~O_NONBLOCK), "fcntl");
    return {std::move(read), std::move(write)};
}

void shrink_pipe(int fd)
{
    checked(::fcntl(fd, F_SETPIPE_SZ, 1), "F_SETPIPE_SZ");
}

fd_pair make_socket_pair()
{
    std::array<int, 2> ends{};
    checked(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), "socketpair");
    unique_fd ours = above_stdio(ends[0]);
    return {std::move(ours), above_stdio(ends[1])};
}

wire pipe_wire()
{
    pipe_ends in = make_pipe();
    pipe_ends out = make_pipe();
    return {std::move(in.read), std::move(out.write), std::move(in.write), std::move(out.read)};
}

wire socket_wire()
{
    fd_pair in = make_socket_pair();
    fd_pair out = make_socket_pair();
    return {std::move(in.theirs), std::move(out.theirs), std::move(in.ours), std::move(out.ours)};
}

fd_pair make_raw_terminal()
{
    fd_pair terminal = make_terminal();
    termios modes{};
    checked(::tcgetattr(terminal.theirs.get(), &modes), "tcgetattr");
    ::cfmakeraw(&modes);
    checked(::tcsetattr(terminal.theirs.get(), TCSANOW, &modes), "tcsetattr");
    return terminal;
}

fd_pair make_line_terminal()
{
    fd_pair terminal = make_terminal();
    termios modes{};
    checked(::tcgetattr(terminal.theirs.get(), &modes), "tcgetattr");
    modes.c_lflag &= ~tcflag_t(ECHO);
    modes.c_oflag &= ~tcflag_t(OPOST);
    checked(::tcsetattr(terminal.theirs.get(), TCSANOW, &modes), "tcsetattr");
    return terminal;
}

unique_fd open_file(const std::filesystem::path& path, int flags)
{
    return above_stdio(checked(::open(path.c_str(), flags | O_CLOEXEC, 0600), path.c_str()));
}

unique_fd make_memory_file()
{
    return above_stdio(checked(::memfd_create("partyline-test", MFD_CLOEXEC), "memfd_create"));
}

unique_fd duplicate(int fd)
{
    return unique_fd(checked(::fcntl(fd, F_DUPFD_CLOEXEC, 3), "fcntl"));
}

std::string read_file(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string read_whole(int fd)
{
    struct stat status{};
    checked(::fstat(fd, &status), "fstat");
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    const auto size = checked(static_cast<int>(::pread(fd, content.data(), content.size(), 0)), "pread");
    content.resize(static_cast<std::size_t>(size));
    return content;
}

void write_file(const std::filesystem::path& path, std::string_view content)
{
    std::ofstream(path, std::ios::binary) << content;
}

int status_flags(int fd)
{
    return checked(::fcntl(fd, F_GETFL), "fcntl");
}

void set_nonblocking(int fd)
{
    checked(::fcntl(fd, F_SETFL, status_flags(fd) | O_NONBLOCK), "fcntl");
}

} // namespace partyline::test
