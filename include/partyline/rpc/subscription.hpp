#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/session/binding.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace partyline {

class session_link;
class subscription_state;

namespace detail {
class subscription_start;
}

/// The three names of a subscription, which `method_table::add_subscription` adds. The subscribe method returns the
/// subscription's id. The unsubscribe method takes that id (by name: `subscription`), and returns true where it has
/// ended an open subscription of this kind in the same session, otherwise false. (Params that can't be such an id are
/// answered -32602.) One notification that has already been passed to a session without room may still follow the
/// response.
///
///     partyline::task<void> count(partyline::subscription_sink sink, int from)
///     {
///         while (co_await sink.send(from))
///             ++from;
///     }
///
/// is the handler of
///
///     methods.add_subscription({"subscribe_count", "count", "unsubscribe_count"}, count, {"from"});
///
/// The handler takes a `subscription_sink` first, then the params, as other handlers do, and returns nothing. It can't
/// take a `request_context`: `subscription_sink::link` knows the peer, and middleware (`around_requests`) sees the
/// request.
///
/// A coroutine takes its arguments by value, and starts once the response with the id is on its way. It is cancelled
/// when the subscription ends, and the session does not wait for it. When the coroutine returns, the subscription ends,
/// and the client is not told. When it throws, the client receives an error notification (see
/// `subscription_sink::fail`): the `rpc_error`'s own error, or -32603, and then the exception is logged.
///
/// A plain function may keep the sink, which is used later from any thread. An exception from a plain function,
/// including one that returns a task without being a coroutine, becomes the error response to the request, and there is
/// no subscription.
///
/// A plain POST has no session: there the request itself is the subscription, and the coroutine starts at once. Its
/// notifications are the events of the response, until the client disconnects or the server closes. The head of the
/// response is sent with the first event. Where the handler ends it first, the response follows, with the id, or with
/// the error in place of an error notification. A client that does not accept events gets the response alone: its
/// values are dropped, and `send` does not wait.
///
/// A subscription in a batch is refused with -32600, one beyond `subscription_options::max_per_session` or
/// `max_streams` with -31001; a notification is ignored. Access is judged when the client subscribes, as for requests:
/// a later `use_access` does not end subscriptions, the end of the session does.
struct subscription_names {
    /// The method that opens a subscription, and is answered with its id.
    std::string subscribe;
    /// The method of the notifications; several kinds may share it.
    std::string notification;
    /// The method that ends a subscription, by its id.
    std::string unsubscribe;
};

/// The options of a kind of subscriptions.
struct subscription_options {
    /// Runs the handler's coroutine here, each on a fresh strand, instead of on the session's executor. Plain functions
    /// run on the session's executor.
    boost::asio::any_io_executor executor = {};
    /// Most subscriptions of this kind that a session has at a time; further ones are refused. One that has ended
    /// counts as long as something is queued for it, or its coroutine has not ended.
    std::size_t max_per_session = 1024;
    /// Most subscriptions of this kind by plain POST at a time, of all clients; further ones are refused. One that has
    /// ended counts as above.
    std::size_t max_streams = 1024;
    /// Most bytes that are queued for one subscription, whose client does not read or whose executor is busy; exceeded
    /// by one notification at most.
    std::size_t queue_bytes = std::size_t(64) << 10;
    /// The conversion of params, and of what is sent, where it is not that of the profile.
    binding_policy binding = {};
    /// A description for callers of the method that subscribes.
    std::string description = {};
};

/// The result of `subscription_sink::try_send`.
enum class sink_status : std::uint8_t {
    sent,  ///< it is on its way, or queued
    full,  ///< it was not sent: the queue is full, since the client reads slowly or much was sent at once
    closed ///< it was not sent: the subscription has ended
};

/// A subscription, as seen by whoever sends to it: a handle that can be copied and kept. The client receives each value
/// as a notification, `{"subscription":1,"result":...}`, in the order in which they were queued (a `send` that waits
/// may be overtaken), and none before the answer that has the id, except for a plain POST, whose answer comes last. In
/// a session over HTTP, as MCP's, answers and notifications take different streams, and there is no order between them.
///
/// The subscription ends when the client calls the method that unsubscribes, when the session or the POST ends, when
/// the handler's coroutine has ended, or by `close()` and `fail()`. (It also ends, and is logged, where the session
/// takes no further notification to keep: `limits::call_bytes`.) A plain function that does not keep the sink leaves a
/// subscription to which nothing is sent, until the client ends it.
///
/// Lifetime: a sink keeps neither the session nor its executor, and may be used when both are gone.
/// Thread safety: all functions may be called from any thread, but not while the `io_context` of the session or of the
/// handler is destroyed.
class PARTYLINE_EXPORT subscription_sink {
public:
    /// The subscription's id, which is unique among those of the session; 1 for a plain POST.
    std::uint64_t id() const noexcept;
    /// Whether the subscription has not ended.
    bool is_open() const noexcept;
    /// The session of the subscription, for its peer and its access; null for a plain POST, which has none.
    std::shared_ptr<session_link> link() const noexcept;

    /// Sends a value, without waiting. A value that is longer than the session's limits is dropped, and logged; for
    /// a plain POST it is only dropped.
    ///
    /// Throws `std::invalid_argument` for a value that has no JSON text; `std::bad_alloc`: it is not sent.
    sink_status try_send(const boost::json::value& value) const;
    /// Sends a value of any type that a handler may return.
    template <detail::convertible_result T>
    sink_status try_send(const T& value) const
    {
        return try_send(written(value));
    }

    /// Sends a value when there is room for it: as fast as the client reads. The value is converted before this
    /// returns.
    ///
    ///     for (std::string line; std::getline(file, line);)
    ///         if (!co_await sink.send(line))
    ///             break;
    ///
    /// Completes with   true: it is on its way, or queued; false: the subscription has ended, also while this waited
    /// Fails with       operation_aborted: the task was cancelled while it waited; std::invalid_argument, thrown at
    ///                  once: the value has no JSON text
    /// Cancellation     terminal, partial, total: the value is not sent
    /// Lifetime         the value is read before this returns
    /// Threads          any; of several that wait, the order is not defined
    task<bool> send(const boost::json::value& value) const;
    /// Sends a value of any type that a handler may return, when there is room for it.
    template <detail::convertible_result T>
    task<bool> send(const T& value) const
    {
        return send(written(value));
    }

    /// Waits until nothing is queued: what is sent then is accepted, and is not sent late. For values of which only the
    /// newest matters.
    ///
    ///     while (co_await sink.wait_for_room()) {
    ///         sink.try_send(source.newest());
    ///         co_await source.next_change();
    ///     }
    ///
    /// Completes with   true: nothing is queued; false: the subscription has ended, also while this waited
    /// Fails with       operation_aborted: the task was cancelled while it waited
    /// Cancellation     terminal, partial, total: stops waiting
    /// Lifetime         keeps the subscription's state, not its session
    /// Threads          any
    task<bool> wait_for_room() const;

    /// Waits for the end of the subscription. (The handler's own coroutine need not: it is cancelled then.) Where there
    /// is no memory to wake it, it goes on waiting.
    ///
    /// Completes with   void, at once where the subscription has ended
    /// Fails with       operation_aborted: the task was cancelled
    /// Cancellation     terminal, partial, total: stops waiting
    /// Lifetime         keeps the subscription's state, not its session
    /// Threads          any
    task<void> closed() const;

    /// Ends the subscription and cancels the handler's coroutine. What is queued is still sent. The client of a session
    /// is not told: where it has to know, send it a value that says so. A plain POST is answered with the id.
    void close() const noexcept;
    /// Ends the subscription as `close` does, and tells the client by a last notification,
    /// `{"subscription":1,"error":{"code":...,"message":...}}`, or, for a plain POST, by the response. Without effect
    /// where the subscription has ended.
    ///
    /// Throws `std::bad_alloc`, `std::invalid_argument` for an error that has no JSON text (not for a plain POST, which
    /// is answered with an internal error): the subscription is open.
    void fail(const error_object& why) const;

    subscription_sink(const subscription_sink&) = default;
    subscription_sink& operator=(const subscription_sink&) = default;

private:
    friend class detail::subscription_start;
    explicit subscription_sink(std::shared_ptr<subscription_state> of) noexcept : state_(std::move(of)) {}

    template <class T>
    boost::json::value written(const T& value) const
    {
        if constexpr (detail::direct_value<const T&>)
            return boost::json::value(value);
        else
            return detail::to_told_value(value, empty_policy());
    }
    empty_optionals empty_policy() const noexcept;

    std::shared_ptr<subscription_state> state_; // never null: a move is a copy
};

} // namespace partyline
