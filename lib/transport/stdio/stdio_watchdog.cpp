#include "transport/stdio/stdio_watchdog.hpp"

#include <utility>

#include <poll.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

// A pipe shows POLLERR, a Unix socket (every Node host) POLLHUP only, a terminal both.
bool is_reader_gone(int descriptor)
{
    pollfd state{descriptor, 0, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

} // namespace

stdio_watchdog::stdio_watchdog(const wire_descriptor& output, end_watchdog::duties what)
    : watchdog_(std::move(what)), output_(watchdog_.executor())
{
    if (output.is_socket())
        output_socket_.emplace(watchdog_.executor(), output.open(), shared_socket::event::hang_up);
    else
        output_.assign(output.open());
    watch_reader();
    watchdog_.start();
}

void stdio_watchdog::watch_reader()
{
    // `operation_not_supported` from a regular file means that one can't tell, not that the reader is gone.
    const auto woken = [this](boost::system::error_code failed) {
        if (!failed)
            on_reader_event();
    };
    if (output_socket_)
        output_socket_->async_wait(woken);
    else
        output_.async_wait(asio::posix::descriptor_base::wait_error, woken);
}

void stdio_watchdog::on_reader_event()
{
    if (is_reader_gone(output_socket_ ? output_socket_->native_handle() : output_.native_handle()))
        watchdog_.ask(0);
    else
        watch_reader();
}

} // namespace partyline
