#include "command_line/end_signals.hpp"

#include "session/quiet_signal.hpp"
#include "transport/end_watchdog.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace asio = boost::asio;

namespace command_line {
namespace {

// A loop that does nothing for so long is blocked.
constexpr std::chrono::milliseconds patience(2500);

// So long may a context take to stop.
constexpr std::chrono::milliseconds stop_time(500);

// So long may the end take after that: the context's destruction waits for further threads, one of whose handlers may
// never return, and for others to whom something is still told.
constexpr std::chrono::seconds destruction_time(5);

// What runs on the context, which may destroy it later than the signals are given up.
struct tasks {
    end_signals::duties duties;
    std::atomic<bool> has_run = false;
};

// The context notes that it is alive, by and by.
void send_beat(asio::io_context& context, const std::shared_ptr<tasks>& to)
{
    asio::post(context, [to] { to->has_run = true; });
}

// By a thread that nobody waits for: where all goes well, the process ends before it does anything.
void exit_later(int signal) noexcept
try {
    std::thread([signal] {
        std::this_thread::sleep_for(destruction_time);
        partyline::log_forced_end({}, signal);
        std::_Exit(128 + signal);
    }).detach();
} catch (const std::system_error&) { // then another signal ends it
}

// What is destroyed in order leaves neither a child process nor the file of a socket behind.
void stop_at_once(asio::io_context& context, const std::shared_ptr<tasks>& how, int signal)
{
    const auto has_stopped = std::make_shared<std::promise<void>>();
    std::future<void> stopped = has_stopped->get_future();
    asio::post(context, [&context, how, signal, has_stopped] {
        if (how->duties.on_stop)
            how->duties.on_stop(signal);
        context.stop();
        has_stopped->set_value();
    });
    if (stopped.wait_for(stop_time) == std::future_status::ready)
        return exit_later(signal);
    partyline::log_forced_end({}, signal);
    std::_Exit(128 + signal);
}

partyline::end_watchdog::duties duties_of_watchdog(asio::io_context& context, const std::shared_ptr<tasks>& how)
{
    partyline::end_watchdog::duties result;
    result.patience = patience;
    result.ask = [&context, how](int signal) {
        asio::post(context, [how, signal] { how->duties.ask(signal); });
        send_beat(context, how);
    };
    result.is_alive = [&context, how] {
        const bool is_alive = how->has_run.exchange(false);
        send_beat(context, how);
        return is_alive;
    };
    result.force = [&context, how](int signal) { stop_at_once(context, how, signal); };
    if (how->duties.hang_up)
        result.hang_up = [&context, how] { asio::post(context, [how] { how->duties.hang_up(); }); };
    return result;
}

} // namespace

struct end_signals::state {
    state(asio::io_context& of, partyline::end_watchdog::duties what, bool survives_gone_reader)
        : context(of), watchdog(std::move(what))
    {
        if (survives_gone_reader)
            gone_reader.emplace(SIGPIPE);
    }

    asio::io_context& context;
    partyline::quiet_signal full_file{SIGXFSZ};
    std::optional<partyline::quiet_signal> gone_reader;
    partyline::end_watchdog watchdog;
};

end_signals::end_signals(asio::io_context& context, duties what)
{
    const auto how = std::make_shared<tasks>();
    how->duties = std::move(what);
    state_ = std::make_unique<state>(context, duties_of_watchdog(context, how), how->duties.survives_gone_reader);
    state_->watchdog.start();
}

end_signals::~end_signals() = default;

int end_signals::first() const noexcept
{
    return state_->watchdog.signal();
}

// By the watchdog's thread, whose timers are no work of the context.
void end_signals::call_after(std::chrono::steady_clock::duration delay, std::function<void()> what) const
{
    const auto timer = std::make_shared<asio::steady_timer>(state_->watchdog.executor(), delay);
    timer->async_wait([timer, &context = state_->context, what = std::move(what)](boost::system::error_code failed) {
        if (!failed)
            asio::post(context, what);
    });
}

} // namespace command_line
