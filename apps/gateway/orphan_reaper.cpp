#include "gateway/orphan_reaper.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace gateway {
namespace {

int exit_code_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void reap(pid_t program)
{
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended == program)
            ::_exit(exit_code_of(status));
    }
}

// The terminal's signals go to all its processes: the program has them anyhow, and a second one would end it at once.
[[noreturn]] void serve_as_reaper(pid_t program, const sigset_t& all)
{
    ::closefrom(STDERR_FILENO + 1); // an inherited socket is closed when the program closes it
    for (;;) {
        siginfo_t info{};
        const int signal = ::sigwaitinfo(&all, &info);
        if (signal == SIGCHLD)
            reap(program);
        else if (signal > 0 && info.si_code != SI_KERNEL)
            ::kill(program, signal);
    }
}

// Sockets that were inherited are for the program.
void take_over_inherited_sockets()
{
    const char* const owner = std::getenv("LISTEN_PID"); // NOLINT(concurrency-mt-unsafe)
    if (owner && owner == std::string_view("1"))
        ::setenv("LISTEN_PID", std::to_string(::getpid()).c_str(), 1); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

void fork_orphan_reaper()
{
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
    ::signal(SIGCHLD, SIG_DFL); // ignored, as it may be inherited, nobody is told of the program's end
    const pid_t program = ::fork();
    if (program > 0)
        serve_as_reaper(program, all);
    const int failed = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (program < 0)
        throw std::system_error(failed, std::generic_category(), "cannot fork, which process 1 does for its orphans");
    take_over_inherited_sockets();
}

} // namespace gateway
