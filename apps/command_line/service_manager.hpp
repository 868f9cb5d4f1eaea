#pragma once

#include "command_line/end_signals.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/un.h>

namespace command_line {

/// Tells the service manager that has started the program how that is, as `sd_notify(3)` does: where NOTIFY_SOCKET
/// asks for it, and by WATCHDOG_USEC that the program's loop still runs. Never waits: what finds no room is sent later.
/// What is wrong with these variables is complained about on standard error, and they are as good as not there.
/// Thread safety: none.
class service_manager {
public:
    /// Takes what it reads out of the environment: child processes are not to tell. Before there are other threads.
    service_manager();

    /// All addresses are listened on. From here on the context tells by and by that it runs, at twice the rate that
    /// the manager asks for.
    void tell_ready(const end_signals& clock);
    void tell_reloading();
    void tell_reloaded();
    /// Once, and only where it has been told that the program is ready.
    void tell_stopping();

private:
    void read_socket();
    void read_watchdog();
    void tell(std::string state);
    bool send(std::string_view state);
    void send_unsent();
    void tell_alive();
    void call_later(std::chrono::steady_clock::duration delay, void (service_manager::*what)());

    sockaddr_un address_ = {};
    socklen_t address_bytes_ = 0; // 0: there is none
    std::optional<std::chrono::microseconds> alive_every_;
    const end_signals* clock_ = nullptr;
    std::deque<std::string> unsent_;
    bool has_failed_ = false;
    bool is_stopping_ = false;
};

} // namespace command_line
