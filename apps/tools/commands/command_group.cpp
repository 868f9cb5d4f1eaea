#include "command_group.hpp"

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

#include <sys/wait.h>

namespace tools {

command_group::command_group(command_group&& other) noexcept : leader_(std::exchange(other.leader_, -1)) {}

command_group& command_group::operator=(command_group&& other) noexcept
{
    std::swap(leader_, other.leader_);
    return *this;
}

command_group::~command_group()
{
    signal(SIGKILL);
    constexpr int patience = 200; // milliseconds; what takes longer to go is left to itself
    for (int i = 0; i < patience && look() == state::running; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    reap();
}

command_group::state command_group::look() const noexcept
{
    siginfo_t found{};
    if (leader_ <= 0 || ::waitid(P_PID, static_cast<id_t>(leader_), &found, WEXITED | WNOHANG | WNOWAIT) != 0)
        return state::lost;
    return found.si_pid == 0 ? state::running : state::ended;
}

void command_group::signal(int number) noexcept
{
    if (look() != state::lost)
        ::kill(-leader_, number);
}

command_end command_group::reap() noexcept
{
    int status = 0;
    if (look() != state::ended || ::waitpid(leader_, &status, WNOHANG) != leader_)
        return {};
    leader_ = -1;
    if (WIFSIGNALED(status))
        return {.signal = WTERMSIG(status)};
    return {.exit_code = WEXITSTATUS(status)};
}

} // namespace tools
