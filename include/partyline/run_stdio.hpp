#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/access_control.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_counters.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace partyline {

/// The effects of `run_stdio` on the process. A session has none of them.
///
///     partyline::stdio_options options;
///     options.session.bounds.message_bytes = std::size_t(1) << 20;
///     options.on_session_end = [](const partyline::session_counters& done) { show(std::to_string(done.requests)); };
///     return partyline::run_stdio(std::move(methods), std::move(options));
struct stdio_options {
    /// The options of the session. Options that are unset have the defaults of standard input and output.
    session_options session = {};
    /// Keeps stray prints and child processes off the wire: descriptor 0 is /dev/null and descriptor 1 is stderr
    /// meanwhile.
    bool guard = true;
    /// Takes SIGTERM, SIGINT and SIGHUP, also where they are blocked, but not those that are ignored: the first one
    /// cancels everything and ends in order, a second one ends at once.
    bool signals = true;
    /// Authenticates the peer as the user who runs the process, by the real ids; `run_stdio` throws
    /// `std::runtime_error` where that user is not admitted. The grant sets `peer`, `access` and `quota` of the
    /// session, and is renewed as that of `server_options::access`. Null: the peer is not authenticated.
    std::shared_ptr<access_control> access = {};
    /// Called with the counters of the session, when it has ended in order. Empty: not called.
    std::function<void(const session_counters&)> on_session_end = {};
    /// How long, after `on_session_end`, the `io_context` may run on for other work that has still to end, such as a
    /// session with another server: see `run_stdio`. The `io_context` runs no longer than there is work. Zero: work
    /// that has not ended by then is dropped.
    std::chrono::steady_clock::duration linger = std::chrono::steady_clock::duration::zero();
};

/// The exit codes of `run_stdio`. A signal N gives 128 + N; 2 is left to the command line.
namespace exit_codes {
inline constexpr int success = 0;     ///< input ended, everything was answered
inline constexpr int no_shutdown = 1; ///< the peer sent `exit` without `shutdown` (LSP)
inline constexpr int usage = 2;       ///< for programs: the command line was wrong
/// The output is not read any more, a stream failed, a notification had no room, or the user may not call any more.
inline constexpr int stream_failed = 3;
inline constexpr int drain_timeout = 4; ///< input ended, and handlers had to be cancelled
} // namespace exit_codes

/// Serves one peer over standard input and output until input ends, and returns the exit code for `main`.
///
/// Runs an `io_context` of its own on this thread; a second thread looks out for signals and for a peer that has gone,
/// so that these can end the process even while a handler is busy. Descriptors, their flags and the handling of signals
/// are put back before it returns. Call it once at a time, and before anything else uses standard input.
///
/// A handler that ignores its cancellation for longer than `cancel_grace` is abandoned, and named in the log. When it
/// still runs then, `run_stdio` ends the process by `std::_Exit` with the exit code: objects that the handler uses must
/// not be destroyed while it runs.
///
///     int main()
///     {
///         partyline::method_table methods;
///         methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
///         return partyline::run_stdio(std::move(methods));
///     }
///
/// A function that makes the methods is called once, before the session starts, on the thread of the `io_context`: for
/// methods that work on its executor, which has one thread, such as methods that call another server. Work that they
/// have begun there ends with `run_stdio`, after `stdio_options::linger` at the latest. `run_stdio` throws what the
/// function throws.
///
///     return partyline::run_stdio([](asio::any_io_executor executor, partyline::session_options&) {
///         partyline::method_table methods;
///         methods.add("pause", [timer = std::make_shared<asio::steady_timer>(executor)]() -> asio::awaitable<void> {
///             timer->expires_after(1s);
///             co_await timer->async_wait(asio::use_awaitable);
///         });
///         return methods;
///     });
PARTYLINE_EXPORT int run_stdio(served_methods methods, stdio_options options = {});

} // namespace partyline
