#include "transport/end_watchdog.hpp"

#include "session/due_time.hpp"
#include "session/line_output.hpp"
#include "transport/ignored_hang_up.hpp"
#include "transport/signal_words.hpp"

#include <partyline/session/log.hpp>

#include <boost/asio/post.hpp>

#include <csignal>
#include <future>
#include <memory>
#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

constexpr int end_signals[] = {SIGTERM, SIGINT, SIGHUP};

bool is_ignored(int signal)
{
    struct sigaction current;
    return ::sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

// What a thread that starts meanwhile begins with: it takes no signals for others, whose handlers run where the program
// expects them, but those that it waits for itself, which all others may have blocked.
class mask_of_watchdog {
public:
    explicit mask_of_watchdog(bool takes_signals)
    {
        sigset_t others;
        sigfillset(&others);
        for (const int signal : end_signals) {
            if (takes_signals && !is_ignored(signal))
                sigdelset(&others, signal);
        }
        pthread_sigmask(SIG_SETMASK, &others, &before_);
    }
    ~mask_of_watchdog() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    mask_of_watchdog(const mask_of_watchdog&) = delete;
    mask_of_watchdog& operator=(const mask_of_watchdog&) = delete;

private:
    sigset_t before_;
};

} // namespace

end_watchdog::end_watchdog(duties what)
    : duties_(std::move(what)), context_(1), work_(context_.get_executor()), signals_(context_), patience_(context_)
{
    if (duties_.signals)
        take_signals();
}

end_watchdog::~end_watchdog()
{
    stop();
    if (!takes_ignored_hang_up_)
        return;
    error_code ignored;
    signals_.clear(ignored);
    ignored_hang_up::give_up();
}

void end_watchdog::start()
{
    const mask_of_watchdog inherited_by_thread(duties_.signals);
    thread_ = std::thread([this] { context_.run(); });
}

void end_watchdog::stop()
{
    context_.stop();
    if (thread_.joinable())
        thread_.join();
}

void end_watchdog::take_signals()
{
    for (const int signal : end_signals) {
        const bool is_hang_up = signal == SIGHUP && duties_.hang_up;
        if (is_hang_up && is_ignored(signal)) {
            ignored_hang_up::note_taken();
            takes_ignored_hang_up_ = true;
        }
        if (is_hang_up || !is_ignored(signal))
            signals_.add(signal);
    }
    wait_for_signal();
}

void end_watchdog::wait_for_signal()
{
    signals_.async_wait([this](boost::system::error_code failed, int signal) {
        if (failed)
            return;
        on_signal(signal);
        wait_for_signal();
    });
}

void end_watchdog::on_signal(int signal)
{
    if (signal == SIGHUP && duties_.hang_up)
        return duties_.hang_up();
    if (signal_ != 0) {
        duties_.force(signal);
        return be_patient();
    }
    signal_ = signal;
    ask(signal);
}

void end_watchdog::ask(int signal)
{
    if (std::exchange(has_asked_, true))
        return;
    be_patient();
    duties_.ask(signal);
}

void end_watchdog::limit_end()
{
    asio::post(context_, [this] {
        if (!std::exchange(has_asked_, true))
            be_patient();
    });
}

void end_watchdog::be_patient()
{
    patience_.expires_at(due_time(duties_.patience));
    patience_.async_wait([this](boost::system::error_code failed) {
        if (failed)
            return;
        if (!duties_.is_alive || !duties_.is_alive())
            duties_.force(signal_);
        be_patient();
    });
}

void log_forced_end(const std::function<void(std::string_view)>& log, int signal) noexcept
try {
    constexpr std::chrono::milliseconds longest(250);
    const auto has_logged = std::make_shared<std::promise<void>>();
    std::future<void> done = has_logged->get_future();
    const std::string why = signal == 0 ? "the peer has gone" : signal_words(signal);
    const std::string line = "the process ends by force: " + why + ", and something keeps it from ending in order";
    std::thread([log, line, has_logged, longest] {
        write_log(log, line);
        standard_error().finish(longest);
        has_logged->set_value();
    }).detach();
    done.wait_for(longest);
} catch (...) { // there is nothing left to do it with
}

} // namespace partyline
