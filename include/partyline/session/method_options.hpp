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
    thrown_through, ///< what it awaits ends with operation_aborted, as an exception, which it may catch
    dropped         ///< where that would be thrown its frames are destroyed: destructors run, `catch` blocks do not
};

/// How a session runs one method. The defaults suit a handler that waits more than it computes.
///
///     methods.add("index", build_index, {.executor = pool.get_executor(), .max_concurrent = 2, .deadline = 30s});
///     methods.add_notification("changed", on_changed, {.ordered = true, .description = "A file has changed"});
struct method_options {
    /// Runs the handler here instead of on the session's executor, for instance on a thread pool. Each request gets a
    /// fresh strand of it, in order of arrival; a cancel is delivered on that strand. Empty: the session's executor.
    boost::asio::any_io_executor executor = {};
    /// At most so many requests of this method run at once in a session; more of them wait, other methods go on. 0: no
    /// bound.
    std::size_t max_concurrent = 0;
    /// The time after which a request is cancelled, from its start on: -32800 with `data.reason`. 0 or
    /// `duration::max()`: no deadline; negative: when the handler first suspends. (Has no effect on plain functions on
    /// the session's executor: nobody can interrupt those.)
    std::chrono::steady_clock::duration deadline = std::chrono::steady_clock::duration::zero();
    /// Whether a request whose deadline is over is answered there and then, whatever its handler does: one that does
    /// not look at the cancel, or that computes on an executor of its own, goes on to its end and keeps its slot, and
    /// its result and its notifications are dropped. False: the request is answered when the handler ends.
    bool answers_at_deadline = false;
    /// How a cancel ends its tasks. To drop them takes a fifth of the time, and suits handlers that do not catch. (An
    /// operation that is awaited by `as_tuple` gives its code all the same; the exception passes through an
    /// `asio::awaitable`, and through the work of `with_clean_up`.)
    cancelled_task on_cancel = cancelled_task::thrown_through;
    /// Runs alone: starts when everything that came before has ended, and what comes later waits for its end.
    bool exclusive = false;
    /// Holds up everything that comes later until the handler has ended, also while it is suspended. Meant for
    /// notifications, of which otherwise only the start is in order; a request of this method holds up as well.
    bool ordered = false;
    /// Ends when input ends: cancelled at the end of input instead of being waited for (subscriptions, watchers).
    bool open_ended = false;
    /// The conversion of the method's params and result to and from C++ values, where it is not that of the profile.
    binding_policy binding = {};
    /// A description for callers: in `method_table::describe` and `rpc.discover`.
    std::string description = {};
};

} // namespace partyline
