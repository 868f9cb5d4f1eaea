#include "command_line/end_signals.hpp"

#include <csignal>
#include <cstdlib>
#include <utility>

namespace command_line {

end_signals::end_signals(boost::asio::io_context& context, std::function<void()> ask)
    : signals_(context, SIGTERM, SIGINT), ask_(std::move(ask))
{
    struct sigaction hangup;
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        signals_.add(SIGHUP);
    wait();
}

void end_signals::on_hang_up(std::function<void()> ask)
{
    signals_.add(SIGHUP);
    hang_up_ = std::move(ask);
}

void end_signals::wait()
{
    signals_.async_wait([this](boost::system::error_code failed, int signal) {
        if (failed)
            return;
        if (signal == SIGHUP && hang_up_) {
            hang_up_();
            return wait();
        }
        if (first_ != 0)
            std::_Exit(128 + signal);
        first_ = signal;
        ask_();
        wait();
    });
}

} // namespace command_line
