#include "gateway/orphan_reaper.hpp"

#include <boost/system/error_code.hpp>

#include <chrono>
#include <csignal>
#include <utility>

#include <sys/wait.h>

namespace asio = boost::asio;

namespace gateway {

orphan_reaper::orphan_reaper(const asio::any_io_executor& executor, std::function<bool(pid_t)> is_ours)
    : is_ours_(std::move(is_ours)), ended_(executor), again_(executor)
{
}

void orphan_reaper::start()
{
    ended_.add(SIGCHLD);
    wait();
    reap();
}

void orphan_reaper::stop()
{
    ended_.cancel();
    again_.cancel();
}

void orphan_reaper::wait()
{
    ended_.async_wait([this](boost::system::error_code failed, int) {
        if (failed)
            return;
        reap();
        wait();
    });
}

// The kernel shows the first process that has ended. Where that is one of ours, its owner is about to reap it, and
// others may stand after it.
void orphan_reaper::reap()
{
    siginfo_t info{};
    while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
        if (is_ours_(info.si_pid))
            return reap_later();
        ::waitpid(info.si_pid, nullptr, WNOHANG);
        info = {};
    }
}

void orphan_reaper::reap_later()
{
    again_.expires_after(std::chrono::milliseconds(20));
    again_.async_wait([this](boost::system::error_code failed) {
        if (!failed)
            reap();
    });
}

} // namespace gateway
