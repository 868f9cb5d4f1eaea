#pragma once

#include <csignal>

namespace partyline {

/// Makes a signal harmless for as long as it lives, unless the process has its own way with it: what failed is told by
/// the error of the call. For SIGPIPE, and SIGXFSZ (a file has reached its limit). By a handler that does nothing, and
/// not by SIG_IGN, which child processes would inherit.
/// Process-wide.
class quiet_signal {
public:
    explicit quiet_signal(int number) noexcept : number_(number)
    {
        struct sigaction ours = {};
        ours.sa_handler = [](int) {};
        ours.sa_flags = SA_RESTART;
        ::sigaction(number_, nullptr, &before_);
        is_ours_ = before_.sa_handler == SIG_DFL && ::sigaction(number_, &ours, nullptr) == 0;
    }
    ~quiet_signal()
    {
        if (is_ours_)
            ::sigaction(number_, &before_, nullptr);
    }
    quiet_signal(const quiet_signal&) = delete;
    quiet_signal& operator=(const quiet_signal&) = delete;

private:
    int number_;
    struct sigaction before_ = {};
    bool is_ours_ = false;
};

} // namespace partyline
