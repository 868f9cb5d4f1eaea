#include "spawn.hpp"

#include "failure.hpp"

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace bench {
namespace {

// Every descriptor made here is close-on-exec: the child gets its three and no more.
struct channel {
    descriptor ours;
    descriptor theirs;
};

[[noreturn]] void fail(const char* what, int code)
{
    throw failure(std::string("the server cannot be started: ") + what + ": " + std::generic_category().message(code));
}

void check(int result, const char* what)
{
    if (result < 0)
        fail(what, errno);
}

channel make_pipe(bool ours_reads)
{
    int ends[2];
    check(::pipe2(ends, O_CLOEXEC), "pipe2");
    channel made{descriptor(ends[ours_reads ? 0 : 1]), descriptor(ends[ours_reads ? 1 : 0])};
    check(::fcntl(made.ours.get(), F_SETFL, O_NONBLOCK), "fcntl");
    return made;
}

channel make_socket_pair()
{
    int ends[2];
    check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), "socketpair");
    channel made{descriptor(ends[0]), descriptor(ends[1])};
    check(::fcntl(made.ours.get(), F_SETFL, O_NONBLOCK), "fcntl");
    return made;
}

// One pair for each direction, as Node's hosts do.
channel make_channel(transport over, bool ours_reads)
{
    return over == transport::pipes ? make_pipe(ours_reads) : make_socket_pair();
}

// This process ignores SIGPIPE; the child starts as from a shell.
class start_attributes {
public:
    start_attributes()
    {
        ::posix_spawnattr_init(&attributes_);
        sigset_t signals;
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&attributes_, &signals);
        ::sigaddset(&signals, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes_, &signals);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~start_attributes() { ::posix_spawnattr_destroy(&attributes_); }
    start_attributes(const start_attributes&) = delete;
    start_attributes& operator=(const start_attributes&) = delete;

    const posix_spawnattr_t* get() const noexcept { return &attributes_; }

private:
    posix_spawnattr_t attributes_;
};

pid_t start(const std::string& command, int in, int out, int err)
{
    std::string line = "exec " + command;
    std::string shell = "sh";
    std::string flag = "-c";
    char* words[] = {shell.data(), flag.data(), line.data(), nullptr};
    const start_attributes attributes;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions, err, 2);
    pid_t pid = -1;
    const int failed = ::posix_spawn(&pid, "/bin/sh", &actions, attributes.get(), words, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        fail("/bin/sh", failed);
    return pid;
}

} // namespace

spawned spawn(const std::string& command, transport over)
{
    channel in = make_channel(over, false);
    channel out = make_channel(over, true);
    channel err = make_pipe(true);
    const pid_t pid = start(command, in.theirs.get(), out.theirs.get(), err.theirs.get());
    descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    check(end.get(), "pidfd_open");
    return {std::move(in.ours), std::move(out.ours), std::move(err.ours), std::move(end), pid};
}

} // namespace bench
