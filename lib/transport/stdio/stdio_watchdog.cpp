#include "transport/stdio/stdio_watchdog.hpp"

#include "session/due_time.hpp"

#include <csignal>
#include <utility>

#include <poll.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

bool is_ignored(int signal)
{
    struct sigaction current;
    return ::sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

// A pipe shows POLLERR, a Unix socket (every Node host) POLLHUP only, a terminal both.
bool is_reader_gone(int descriptor)
{
    pollfd state{descriptor, 0, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

// The sentinel's own thread takes no signals for others: handlers run where the program expects them.
class all_signals_blocked {
public:
    all_signals_blocked()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~all_signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    all_signals_blocked(const all_signals_blocked&) = delete;
    all_signals_blocked& operator=(const all_signals_blocked&) = delete;

private:
    sigset_t before_;
};

} // namespace

stdio_watchdog::stdio_watchdog(const wire_descriptor& output, duties what)
    : duties_(std::move(what)), context_(1), signals_(context_), output_(context_), patience_(context_)
{
    if (output.is_socket())
        output_socket_.emplace(context_.get_executor(), output.open(), shared_socket::event::hang_up);
    else
        output_.assign(output.open());
    if (duties_.signals)
        take_signals();
    watch_reader();
    const all_signals_blocked inherited_by_thread;
    thread_ = std::thread([this] { context_.run(); });
}

stdio_watchdog::~stdio_watchdog()
{
    context_.stop();
    thread_.join();
}

void stdio_watchdog::take_signals()
{
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    if (!is_ignored(SIGHUP))
        signals_.add(SIGHUP);
    wait_for_signal();
}

void stdio_watchdog::wait_for_signal()
{
    signals_.async_wait([this](boost::system::error_code failed, int signal) {
        if (failed)
            return;
        if (signal_ != 0)
            return duties_.force(signal);
        signal_ = signal;
        ask(signal);
        wait_for_signal();
    });
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
        ask(0);
    else
        watch_reader();
}

void stdio_watchdog::ask(int signal)
{
    if (std::exchange(has_asked_, true))
        return;
    patience_.expires_at(due_time(duties_.patience));
    patience_.async_wait([this, signal](boost::system::error_code failed) {
        if (!failed)
            duties_.force(signal);
    });
    duties_.ask(signal);
}

} // namespace partyline
