#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/transport/child_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace partyline {

/// The ends of a child after which another one is started.
enum class restart_after : std::uint8_t {
    any_end, ///< also after exit status 0: a server is there to serve
    failure, ///< not after exit status 0: then the supervisor has ended, too, with success
};

/// When a child that has ended is started again, and when no more. Of durations the largest, `duration::max()`, means
/// never, and a negative one at once.
///
/// The delay before a start is `first_delay` at first, and `factor` times the one before after each further end, but no
/// more than `max_delay`; a random part of it, up to the fraction `jitter`, is left out, so that many clients that lost
/// the same server do not come back together. The defaults give up a server that dies at once after 8 starts, in some
/// 13 s; one that lives for 10 s each time is started for ever.
///
/// A command that can't be started at all, since there is no such program, is given up at the first start, and not
/// tried again: it will not appear. Later ones count as starts like others: a program that has been there may just be
/// replaced. A lack of processes, memory or descriptors at the first start does not end the supervisor either.
///
///     options.restart.first_delay = 1s;
///     options.restart.max_starts = 3;
///     options.restart.start_window = 10min;
struct restart_policy {
    /// The ends after which another child is started at all.
    restart_after after = restart_after::any_end;
    /// The delay before the first restart. `duration::max()`: no child is started again.
    std::chrono::steady_clock::duration first_delay = std::chrono::milliseconds(100);
    /// The factor by which each delay grows; at least 1.
    double factor = 2;
    /// The most that a delay grows to.
    std::chrono::steady_clock::duration max_delay = std::chrono::seconds(10);
    /// The fraction of a delay that may be left out at random, from 0 to 1.
    double jitter = 0.2;
    /// After the end of a child that has been ready for this long the delays begin anew.
    std::chrono::steady_clock::duration stable_after = std::chrono::seconds(10);
    /// Most starts in any `start_window`, failed ones included; before one more the supervisor gives up. 0: there is no
    /// such limit.
    std::size_t max_starts = 8;
    /// The time that `max_starts` counts in.
    std::chrono::steady_clock::duration start_window = std::chrono::minutes(1);
};

/// The state of a supervisor.
enum class supervisor_state : std::uint8_t {
    idle,     ///< it has not been run
    starting, ///< a child runs, and `on_start` with it
    /// A child is ready: calls reach it. One that has closed its output or its input stays so while it is being ended;
    /// meanwhile calls wait or fail, as `calls_while_down` says.
    running,
    ending,  ///< a child is being ended, by `close()`, by `stop()`, or since `on_start` has failed
    waiting, ///< there is no child; the next one is started after `supervisor_status::delay`
    ended,   ///< it was closed or stopped, or has given up
};

/// The state of a supervisor, and facts about its child.
struct supervisor_status {
    /// The state.
    supervisor_state state = supervisor_state::idle;
    /// The starts so far, those that failed included.
    std::size_t starts = 0;
    /// The child's process; 0 where there is none.
    int pid = 0;
    /// The code that the last child ended with, or the reason why it was not started: a `child_exit` code (which is a
    /// failure also with status 0), an error of its session, or of `on_start`. None before the first end.
    error_code last_end = {};
    /// Details of that end, in words: the text of an exception of `on_start`, or that its time was over, and the last
    /// lines on standard error, where `child_options::errors` is `capture`.
    std::string last_words = {};
    /// In the state `waiting`: the delay, from the beginning of that state on.
    std::chrono::steady_clock::duration delay = std::chrono::steady_clock::duration::zero();
};

/// The treatment of calls while no child is ready for them.
enum class while_down : std::uint8_t {
    /// Calls wait for the next child, as many as `limits::calls` and `call_bytes` let, and are sent in their order. The
    /// time of a call counts from its start on.
    wait,
    /// Calls fail at once, with `errc::not_running`. Also before `async_run`, and before the first child is ready.
    fail,
};

/// The options of a supervisor: how it starts its children and talks to them.
struct supervisor_options {
    /// The options of the session with each child. Functions among them are called on the supervisor's executor.
    session_options session = {};
    /// The options of each child. With `child_stderr::capture` the last lines of a child that has ended are known.
    child_options child = {};
    /// When another child is started, and when it gives up.
    restart_policy restart = {};
    /// The treatment of calls while no child is ready.
    while_down calls_while_down = while_down::wait;

    /// Run with each new child, before any call reaches it: for the handshake, and to set the new server to the state
    /// of the last one. The caller is that of this child alone (a call of the supervisor's own would wait for the end
    /// of this function). An exception fails the start: the child is ended, and that counts like any other end. The
    /// function is cancelled when its child ends, and when `start_timeout` is over; if it does not end then, it is
    /// abandoned after `session_options::cancel_grace`. Empty: a child is ready at once, and takes the waiting calls,
    /// also a child that then dies.
    ///
    ///     options.on_start = [settings](partyline::caller& server) -> boost::asio::awaitable<void> {
    ///         co_await server.notify("configure", settings);
    ///     };
    ///
    /// The function may be a lambda that captures, as here: the supervisor keeps it. See lsp/handshake.hpp for language
    /// servers.
    std::function<boost::asio::awaitable<void>(caller& server)> on_start = {};
    /// How long `on_start` may take; then it fails with `errc::timeout`. 0: for ever.
    std::chrono::steady_clock::duration start_timeout = std::chrono::seconds(30);

    /// Run by `close()` with a child that is ready, before its session is closed, for the end of its protocol.
    /// Exceptions are logged. The rules of `on_start` hold for it, too.
    std::function<boost::asio::awaitable<void>(caller& server)> on_close = {};
    /// How long `on_close` may take. 0: for ever.
    std::chrono::steady_clock::duration goodbye_timeout = std::chrono::seconds(5);

    /// Called at each change of `supervisor_status::state`, on the supervisor's executor. Must not throw; an exception
    /// is logged. Empty: not called.
    std::function<void(const supervisor_status&)> on_change = {};
};

} // namespace partyline
