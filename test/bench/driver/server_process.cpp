#include "server_process.hpp"

#include "support/http_program.hpp"
#include "support/readiness.hpp"
#include "wire.hpp"

#include <csignal>
#include <ctime>
#include <fstream>
#include <utility>

#include <unistd.h>

namespace bench {
namespace {

using namespace partyline::test;

unique_fd non_blocking(unique_fd ours)
{
    set_nonblocking(ours.get());
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

} // namespace

server_process::server_process(const std::string& command, transport over)
    : server_process(command, over == transport::pipes ? pipe_wire() : socket_wire(), make_pipe())
{
}

// The server's ends are closed here, or it would not see the end of its input.
server_process::server_process(const std::string& command, wire ends, pipe_ends errors)
    : input_(non_blocking(std::move(ends.to_server))), output_(non_blocking(std::move(ends.from_server))),
      errors_(non_blocking(std::move(errors.read))),
      child_("/bin/sh", {"-c", "exec " + command}, {ends.server_in.get(), ends.server_out.get(), errors.write.get()})
{
}

void server_process::kill()
{
    signal(SIGKILL);
    while (!ends_within(std::chrono::seconds(1))) {
        // Nothing survives that signal; memory by the gigabyte takes a moment to be freed.
    }
}

void server_process::signal(int number)
{
    if (!child_.has_exited())
        child_.signal(number);
}

bool server_process::read_errors()
{
    constexpr std::size_t kept = 4096;
    char buffer[16384];
    const ssize_t count = ::read(errors_.get(), buffer, sizeof buffer);
    if (count == 0)
        errors_.reset();
    if (count <= 0)
        return false;
    last_errors_.append(buffer, static_cast<std::size_t>(count));
    if (last_errors_.size() > kept)
        last_errors_.erase(0, last_errors_.size() - kept);
    return true;
}

std::string server_process::last_words()
{
    kill(); // one that goes on talking has no last words
    while (read_errors()) {
        // All that it has left.
    }
    const std::string_view said = last_stderr_lines();
    const std::size_t end = said.find_last_not_of(" \r\n") + 1;
    return end == 0 ? "" : "\nThe end of its standard error:\n" + std::string(said.substr(0, end));
}

std::uint16_t server_process::wait_for_port(std::chrono::milliseconds patience)
{
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + patience;
    for (;;) {
        if (const std::uint16_t port = listening_port(last_errors_))
            return port;
        if (ends_within(std::chrono::milliseconds(0)))
            throw failure("ended with " + how_it_ended() + " before it listened: " + last_errors_);
        if (clock::now() >= end)
            throw failure("does not say on its standard error where it is listening: " + last_errors_);
        if (is_ready(errors(), POLLIN, std::chrono::milliseconds(100)))
            read_errors();
    }
}

std::chrono::nanoseconds server_process::cpu_time() const
{
    return cpu_time_of(child_.id());
}

std::chrono::nanoseconds server_process::cpu_time_of_all() const
{
    return cpu_time_of_family(child_.id());
}

bool server_process::was_not_found()
{
    return child_.wait_exit() == 126 || child_.wait_exit() == 127;
}

std::string server_process::how_it_ended()
{
    const int code = child_.wait_exit();
    return code < 0 ? "signal " + std::to_string(-code) : "exit code " + std::to_string(code);
}

} // namespace bench
