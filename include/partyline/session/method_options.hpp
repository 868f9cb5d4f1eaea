#pragma once

#include <partyline/session/binding.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace partyline {

/// How a cancel ends a handler that is suspended.
enum class cancelled_task : std::uint8_t {
    thrown_through, ///< operations that it awaits end with operation_aborted, as an exception, which it may catch
    dropped         ///< its frames are destroyed where that would be thrown: destructors run, `catch` blocks do not
};

/// How a session runs one method. The defaults suit a handler that waits more than it computes.
///
///     methods.add("index", build_index, {.executor = pool.get_executor(), .max_concurrent = 2, .deadline = 30s});
///     methods.add_notification("changed", on_changed, {.ordered = true, .description = "A file has changed"});
struct method_options {
    /// Runs the handler here instead of on the session's executor, for instance on a thread pool. Each request gets a
    /// fresh strand of it, in order of arrival; a cancel is delivered on that strand. Empty: the session's executor.
    boost::asio::any_io_executor executor = {};
    /// Most requests of this method that run at once in a session; more of them wait, other methods go on. 0: no bound.
    std::size_t max_concurrent = 0;
    /// The time after which a request is cancelled, from its start on: -32800 with `data.reason`. 0 or
    /// `duration::max()`: no deadline; negative: when the handler first suspends. (Has no effect on plain functions on
    /// the session's executor: those can't be interrupted.)
    std::chrono::steady_clock::duration deadline = std::chrono::steady_clock::duration::zero();
    /// Whether a request whose deadline is over is answered at once, also while its handler goes on: a handler that
    /// does not react to the cancel, or that computes on an executor of its own, goes on until it ends and keeps its
    /// slot, and its result and its notifications are dropped. False: the request is answered when the handler ends.
    bool answers_at_deadline = false;
    /// How a cancel ends the method's tasks. To drop them takes a fifth of the time, and suits handlers that do not
    /// catch. (An operation that is awaited by `as_tuple` gives its code all the same; the exception passes through an
    /// `asio::awaitable`, and through the work of `with_clean_up`.)
    cancelled_task on_cancel = cancelled_task::thrown_through;
    /// Runs the method alone: it starts when all earlier messages have been served, and later ones wait for its end.
    bool exclusive = false;
    /// Makes all later messages wait until the handler has ended, also while it is suspended. Meant for notifications,
    /// of which otherwise only the start is in order; later messages wait for a request of this method as well.
    bool ordered = false;
    /// Cancels the method's requests at the end of input and by `session::close`, instead of waiting for them
    /// (subscriptions, watchers).
    bool open_ended = false;
    /// The conversion of the method's params and result to and from C++ values, where it is not that of the profile.
    binding_policy binding = {};
    /// A description for callers: in `method_table::describe` and `rpc.discover`.
    std::string description = {};
};

} // namespace partyline
