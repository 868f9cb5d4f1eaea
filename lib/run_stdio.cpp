#include <partyline/run_stdio.hpp>

#include "session/due_time.hpp"
#include "session/line_output.hpp"
#include "session/quiet_signal.hpp"
#include "session/use_grant.hpp"
#include "transport/session_renewals.hpp"
#include "transport/signal_words.hpp"
#include "transport/stdio/stdio_byte_stream.hpp"
#include "transport/stdio/stdio_watchdog.hpp"
#include "transport/stdio/stdio_wire.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

int exit_code_of(error_code result, int signal)
{
    if (signal != 0)
        return 128 + signal;
    if (!result)
        return exit_codes::success;
    if (result == errc::exit_without_shutdown)
        return exit_codes::no_shutdown;
    return result == errc::drain_timeout ? exit_codes::drain_timeout : exit_codes::stream_failed;
}

// Ends the process although handlers still run.
[[noreturn]] void leave_at_once(stdio_wire& wire, int code)
{
    wire.restore_flags();
    std::fflush(nullptr);
    standard_error().finish(line_output::longest_finish);
    std::_Exit(code);
}

// What a program posts to our io_context itself may throw; that ends neither the session nor the process.
void run_to_end(asio::io_context& context, std::chrono::steady_clock::time_point until,
                const std::function<void(std::string_view)>& log)
{
    for (;;) {
        try {
            until == until.max() ? context.run() : context.run_until(until);
            return;
        } catch (const std::exception& e) {
            write_log(log, std::string("an exception left a completion handler: ") + exception_text(e));
        } catch (...) {
            write_log(log, "an exception of unknown type left a completion handler");
        }
    }
}

void log_end(const std::function<void(std::string_view)>& log, error_code result, int signal)
{
    if (signal != 0)
        write_log(log, "the session ended: " + signal_words(signal));
    else if (result && result != errc::drain_timeout)
        write_log(log, "the session ended: " + result.message());
}

// The user who has started the process speaks: the real id, which is not the effective one of a setuid program.
std::shared_ptr<const access_grant> admit_own_user(access_control* by, session_options& session)
{
    if (!by)
        return nullptr;
    peer_identity own;
    own.local = peer_identity::credentials{::getpid(), ::getuid(), ::getgid()};
    authentication found = by->authenticate(own, std::nullopt, std::chrono::system_clock::now());
    if (found.outcome != authentication_outcome::admitted || !found.grant)
        throw std::runtime_error("the user " + std::to_string(own.local->user) +
                                 " who runs this program is not admitted: " + std::string(describe(found.outcome)));
    use_grant(session, *found.grant, own);
    return std::move(found.grant);
}

// Renews a grant while the session runs.
class stdio_renewal {
public:
    stdio_renewal(const std::shared_ptr<stream_driver>& its, grant_renewal grant)
        : all_(std::make_shared<session_renewals>(its->get_executor())), one_(its, std::move(grant))
    {
        all_->add(one_);
    }
    void stop() { all_->stop(); }

private:
    std::shared_ptr<session_renewals> all_;
    renewed_session one_;
};

} // namespace

int run_stdio(served_methods methods, stdio_options options)
{
    const std::shared_ptr<const access_grant> grant = admit_own_user(options.access.get(), options.session);
    stdio_wire wire(options.guard);
    standard_error().allow_thread(); // as this starts one anyhow
    const quiet_signal gone_reader(SIGPIPE);
    const quiet_signal full_file(SIGXFSZ);
    asio::io_context context(1);
    const asio::any_io_executor executor = context.get_executor();
    const served_methods by = std::move(methods); // goes before the context, which handlers may have things of
    auto its = by.for_session(executor, options.session);
    const auto patience = longer_by(options.session.cancel_grace, std::chrono::milliseconds(500));
    const auto log = options.session.log;
    if (!options.session.on_overload && wire.input().is_regular_file())
        options.session.on_overload = overload::pause; // nobody there would try again

    std::optional<grant_renewal> renewal;
    if (grant)
        renewal.emplace(options.access, grant, options.session);
    auto stream = std::make_unique<stdio_byte_stream>(wire, executor, stdio_byte_stream::owner::run_stdio);
    const auto driver =
        std::make_shared<stream_driver>(executor, std::move(stream), std::move(its), std::move(options.session));

    std::optional<stdio_renewal> renewed;
    if (renewal)
        renewed.emplace(driver, *std::move(renewal));

    constexpr int unknown = -1;
    std::atomic<int> code = unknown;
    end_watchdog::duties duties;
    duties.signals = options.signals;
    duties.patience = patience;
    duties.ask = [&](int signal) {
        driver->stop(signal != 0 ? error_code(asio::error::operation_aborted) : errc::peer_gone);
    };
    duties.force = [&](int signal) {
        if (code == unknown)
            log_forced_end(log, signal);
        // The streams may be locked by whoever prints meanwhile: nothing is flushed.
        wire.restore_flags();
        std::_Exit(code != unknown ? code.load() : signal != 0 ? 128 + signal : exit_codes::stream_failed);
    };
    error_code result;
    stdio_watchdog watchdog(wire.output(), std::move(duties));
    if (wire.is_output_missing())
        driver->stop(errc::peer_gone);
    const auto on_end = [&](error_code failed) {
        result = failed;
        context.stop(); // also where a handler that was given up waits for something
    };
    driver->start({on_end, executor});
    run_to_end(context, std::chrono::steady_clock::time_point::max(), log);
    if (renewed)
        renewed->stop();
    const int signal = watchdog.signal();
    log_end(log, result, signal);
    if (options.on_session_end)
        options.on_session_end(driver->counters());
    if (options.linger > options.linger.zero()) {
        context.restart();
        run_to_end(context, due_time(options.linger), log);
    }
    finish_files(line_output::longest_finish); // while signals that ask for the end are still taken
    code = exit_code_of(result, signal);
    watchdog.limit_end(); // nobody may read what is written out now
    if (driver->has_abandoned())
        leave_at_once(wire, code);
    wire.restore();
    return code;
}

} // namespace partyline
