#include "server_process.hpp"

#include "failure.hpp"
#include "spawn.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <utility>

#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace bench {
namespace {

std::chrono::nanoseconds to_duration(const timeval& time)
{
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

} // namespace

server_process::server_process(const std::string& command, transport over)
{
    spawned child = spawn(command, over);
    input_ = std::move(child.input);
    output_ = std::move(child.output);
    errors_ = std::move(child.errors);
    end_ = std::move(child.end);
    pid_ = child.pid;
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

void server_process::read_errors()
{
    constexpr std::size_t kept = 4096;
    char buffer[16384];
    while (errors_) {
        const ssize_t count = ::read(errors_.get(), buffer, sizeof buffer);
        if (count > 0) {
            last_errors_.append(buffer, static_cast<std::size_t>(count));
            if (last_errors_.size() > kept)
                last_errors_.erase(0, last_errors_.size() - kept);
            if (static_cast<std::size_t>(count) == sizeof buffer)
                return; // a flood: others want their turn too
        } else if (count < 0 && errno == EINTR) {
            continue;
        } else {
            if (count == 0 || errno != EAGAIN)
                errors_.close();
            return;
        }
    }
}

std::chrono::nanoseconds server_process::cpu_time() const
{
    clockid_t clock;
    timespec now{};
    if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &now) != 0)
        throw failure("the system does not tell the CPU time of the server; it may have ended");
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
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
