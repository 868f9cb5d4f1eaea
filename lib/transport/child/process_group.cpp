#include "transport/child/process_group.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace partyline {
namespace {

child_exit exit_of(int status)
{
    return WIFSIGNALED(status) ? child_exit::by_signal(WTERMSIG(status)) : child_exit::with_status(WEXITSTATUS(status));
}

} // namespace

process_group::process_group(process_group&& other) noexcept
    : leader_(std::exchange(other.leader_, -1)), last_signal_(other.last_signal_), exit_(other.exit_)
{
}

process_group::~process_group()
{
    if (leader_ > 0)
        end_now();
}

void process_group::signal(int number) noexcept
{
    const bool is_ours = !exit_ && look() != state::lost;
    if (number == last_signal_ || (!is_ours && !is_left()))
        return;
    last_signal_ = number;
    ::kill(-leader_, number);
    if (is_ours && ::getpgid(leader_) != leader_)
        ::kill(leader_, number); // it has left its own group
}

process_group::state process_group::look() const noexcept
{
    siginfo_t info{};
    int result;
    do
        result = ::waitid(P_PID, static_cast<id_t>(leader_), &info, WEXITED | WNOHANG | WNOWAIT);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return state::lost;
    return info.si_pid == 0 ? state::running : state::ended;
}

bool process_group::has_ended() noexcept
{
    return exit_ || look() != state::running;
}

std::optional<child_exit> process_group::try_reap() noexcept
{
    if (exit_)
        return exit_;
    const state now = look();
    if (now == state::running)
        return std::nullopt;
    int status = 0;
    if (last_signal_ == 0)
        signal(SIGTERM);
    if (now == state::ended && ::waitpid(leader_, &status, 0) == leader_)
        exit_ = exit_of(status);
    else
        exit_.emplace();
    return exit_;
}

bool process_group::has_orphans() noexcept
{
    if (!exit_ || last_signal_ == SIGKILL || !is_left())
        return false;
    // They are children of ours where we adopt those of others, as process 1 of a container does.
    while (::waitpid(-leader_, nullptr, WNOHANG) > 0) {
    }
    return is_left();
}

// To be asked once the leader has been reaped. Its number is given to no process as long as its group has a member:
// where a process has it, the group has been empty in between, and is a stranger's now.
bool process_group::is_left() const noexcept
{
    const bool is_number_free = ::kill(leader_, 0) != 0 && errno == ESRCH;
    return is_number_free && ::kill(-leader_, 0) == 0;
}

bool process_group::end_now() noexcept
{
    signal(SIGKILL);
    for (auto pause = std::chrono::microseconds(50); !try_reap(); pause *= 2) {
        if (pause > std::chrono::milliseconds(60))
            return false;
        std::this_thread::sleep_for(pause);
    }
    return true;
}

} // namespace partyline
