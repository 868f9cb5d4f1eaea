#pragma once

#include "transport/end_watchdog.hpp"
#include "transport/stdio/shared_socket.hpp"
#include "transport/stdio/wire_descriptor.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <optional>

namespace partyline {

/// Looks out for what must end the process even while a handler keeps the session's thread busy: the signals that ask
/// for it, and the end of whoever reads our output (a crashed client leaves no orphan).
class stdio_watchdog {
public:
    stdio_watchdog(const wire_descriptor& output, end_watchdog::duties what);
    ~stdio_watchdog() { watchdog_.stop(); }
    stdio_watchdog(const stdio_watchdog&) = delete;
    stdio_watchdog& operator=(const stdio_watchdog&) = delete;

    int signal() const noexcept { return watchdog_.signal(); }
    void limit_end() { watchdog_.limit_end(); }

private:
    void watch_reader();
    void on_reader_event();

    end_watchdog watchdog_;
    boost::asio::posix::stream_descriptor output_; // or the one below
    std::optional<shared_socket> output_socket_;
};

} // namespace partyline
