#include "server_process.hpp"

#include "failure.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace bench {
namespace {

void check(int code, const char* what)
{
    if (code != 0)
        throw failure(std::string("the server cannot be started: ") + what + ": " +
                      std::generic_category().message(code));
}

// One for each direction, as Node's hosts do with sockets too. The ends are close-on-exec: the child gets its three and
// no more.
struct channel {
    explicit channel(transport over)
    {
        int ends[2];
        const bool is_pipe = over == transport::pipes;
        const int made =
            is_pipe ? ::pipe2(ends, O_CLOEXEC) : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
        check(made < 0 ? errno : 0, is_pipe ? "pipe2" : "socketpair");
        reading = descriptor(ends[0]);
        writing = descriptor(ends[1]);
    }

    descriptor reading;
    descriptor writing;
};

descriptor non_blocking(descriptor ours)
{
    check(::fcntl(ours.get(), F_SETFL, O_NONBLOCK) < 0 ? errno : 0, "fcntl");
    return ours;
}

std::chrono::nanoseconds cpu_time_of(pid_t process)
{
    clockid_t clock;
    timespec now{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &now) != 0)
        throw failure("the system does not tell the CPU time of the server; it may have ended");
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds cpu_time_of_family(pid_t process)
{
    auto sum = cpu_time_of(process);
    const std::string id = std::to_string(process);
    std::ifstream children("/proc/" + id + "/task/" + id + "/children");
    for (pid_t child = 0; children >> child;)
        sum += cpu_time_of_family(child);
    return sum;
}

std::chrono::nanoseconds to_duration(const timeval& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

} // namespace

server_process::server_process(const std::string& command, transport over)
{
    channel in(over);
    channel out(over);
    channel err(transport::pipes);
    input_ = non_blocking(std::move(in.writing));
    output_ = non_blocking(std::move(out.reading));
    errors_ = non_blocking(std::move(err.reading));
    start("exec " + command, in.reading.get(), out.writing.get(), err.writing.get());
    end_ = descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    check(end_ ? 0 : errno, "pidfd_open");
}

// This process ignores SIGPIPE; the child starts as from a shell.
void server_process::start(std::string line, int in, int out, int err)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_init(&actions);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    ::sigaddset(&signals, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    for (const auto& [theirs, number] : {std::pair(in, 0), std::pair(out, 1), std::pair(err, 2)})
        ::posix_spawn_file_actions_adddup2(&actions, theirs, number);
    char shell[] = "sh";
    char flag[] = "-c";
    char* words[] = {shell, flag, line.data(), nullptr};
    const int failed = ::posix_spawn(&pid_, "/bin/sh", &actions, &attributes, words, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    check(failed, "/bin/sh");
}

server_process::~server_process()
{
    kill();
}

void server_process::kill() noexcept
{
    if (pid_ < 0)
        return;
    ::kill(pid_, SIGKILL);
    while (!ends_within(std::chrono::seconds(1))) {
        // Nothing survives that signal; memory by the gigabyte takes a moment to be freed.
    }
}

void server_process::signal(int number) noexcept
{
    if (pid_ >= 0)
        ::kill(pid_, number);
}

bool server_process::read_errors()
{
    constexpr std::size_t kept = 4096;
    char buffer[16384];
    const ssize_t count = ::read(errors_.get(), buffer, sizeof buffer);
    if (count == 0)
        errors_.close();
    if (count <= 0)
        return false;
    last_errors_.append(buffer, static_cast<std::size_t>(count));
    if (last_errors_.size() > kept)
        last_errors_.erase(0, last_errors_.size() - kept);
    return true;
}

std::chrono::nanoseconds server_process::cpu_time() const
{
    return cpu_time_of(pid_);
}

std::chrono::nanoseconds server_process::cpu_time_of_all() const
{
    return cpu_time_of_family(pid_);
}

std::size_t server_process::memory(std::string_view name) const
{
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string word; status >> word;) {
        std::size_t kibibytes = 0;
        if (word == name && status >> kibibytes)
            return kibibytes * 1024;
    }
    throw failure("the system does not tell the memory of the server; it may have ended");
}

bool server_process::ends_within(std::chrono::milliseconds time)
{
    if (pid_ < 0)
        return true;
    pollfd entry{end_.get(), POLLIN, 0};
    if (::poll(&entry, 1, static_cast<int>(time.count())) <= 0)
        return false;
    rusage usage{};
    if (::wait4(pid_, &status_, 0, &usage) < 0)
        return false;
    pid_ = -1;
    total_cpu_time_ = to_duration(usage.ru_utime) + to_duration(usage.ru_stime);
    return true;
}

bool server_process::was_not_found() const noexcept
{
    return WIFEXITED(status_) && (WEXITSTATUS(status_) == 126 || WEXITSTATUS(status_) == 127);
}

std::string server_process::how_it_ended() const
{
    if (WIFSIGNALED(status_))
        return "signal " + std::to_string(WTERMSIG(status_));
    return "exit code " + std::to_string(WEXITSTATUS(status_));
}

} // namespace bench
