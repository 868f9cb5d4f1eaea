#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/session_link.hpp>
#include <partyline/session/task.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace partyline {

class group_state;
class request_context;

/// The treatment of a member that reads too slowly: more than `session_group_options::queue_bytes` are queued.
enum class slow_consumer : std::uint8_t {
    /// Broadcasts without room are dropped for the member; its requests are served as usual.
    drop,
    /// The member's session is closed as by `session::close`. A request in `session_group::stream_to` fails, as soon as
    /// its client reads again or is given up.
    disconnect
};

/// The options of a group.
struct session_group_options {
    /// The treatment of members that read too slowly.
    slow_consumer slow_consumers = slow_consumer::drop;
    /// Most bytes that are queued for one member, whose client does not read or whose executor is busy.
    std::size_t queue_bytes = std::size_t(1) << 20;
    /// Most requests in `session_group::stream_to` at a time; further ones fail.
    std::size_t max_requests = 1024;
};

/// A set of sessions that receive the same notifications: all connected clients, or the subscribers of a topic.
///
///     const auto everybody = std::make_shared<partyline::session_group>();
///     partyline::server_options options;
///     options.session.on_start = [everybody](const std::shared_ptr<partyline::session_link>& its) {
///         everybody->add(its);
///     };
///     partyline::server server(executor, std::move(methods), std::move(options));
///     everybody->broadcast("news", named("text", "hello"));
///
/// A session may be in any number of groups, and leaves them when it ends. Slow clients do not delay others: while more
/// than `limits::outbox_soft_bytes` are unsent to a client, or the memory budget of its session is used up, broadcasts
/// are queued for it, at most `session_group_options::queue_bytes` in each group, exceeded by one notification at most.
/// (An MCP session whose client has no event stream open keeps the last events, see `mcp_session_limits`.) Dropped
/// notifications are counted.
///
/// Lifetime: a group may be destroyed at any time. Queued notifications are sent even so, and requests in `stream_to`
/// go on, and get no more broadcasts.
/// Thread safety: all functions but the destructor may be called from any thread, but not while the `io_context` of a
/// member is destroyed.
class PARTYLINE_EXPORT session_group {
public:
    /// Makes a group without members.
    explicit session_group(session_group_options options = {});
    session_group(const session_group&) = delete;
    session_group& operator=(const session_group&) = delete;
    ~session_group();

    /// Adds a session. Returns false where it is a member already. Where a plain handler adds the session of its
    /// request on the session's executor, the client gets its reply before the first notification.
    ///
    /// Throws `std::invalid_argument` for a null pointer, `std::bad_alloc`.
    bool add(std::shared_ptr<session_link> its);
    /// Removes a session, and drops what is queued for it. Notifications that have left the queue are still sent.
    /// Returns false where it was not a member.
    bool remove(const std::shared_ptr<session_link>& its) noexcept;

    /// Sends the group's broadcasts to the client of a request, as notifications of that request, until the request is
    /// cancelled or the client disconnects. For a POST they are the events of the response, so that clients without a
    /// session can listen. The request is a member from this call on, also before the task is awaited, and does not
    /// count as in flight: see `peer_wait`. The method is `open_ended`: otherwise the end of input waits for it.
    ///
    ///     const auto everybody = std::make_shared<partyline::session_group>();
    ///     methods.add("listen", [everybody](partyline::request_context& context) {
    ///         return everybody->stream_to(context);
    ///     }, {.max_concurrent = 100, .open_ended = true});
    ///
    /// Completes with   nothing: it ends only by failing
    /// Fails with       operation_aborted, when the request is cancelled; rpc_error with `error_codes::server_busy`:
    ///                  see `slow_consumer::disconnect`, or `session_group_options::max_requests`, thrown at once; with
    ///                  `error_codes::invalid_request`, thrown at once: a notification, which nothing can cancel
    /// Cancellation     that of the request
    /// Lifetime         the context lives until the task has ended
    /// Threads          from where the handler runs
    /// Throws           std::bad_alloc
    task<void> stream_to(request_context& context);

    /// Sends a notification to all members, or to all but one, without waiting. Each member gets the notifications of
    /// one group in the order of these calls; between groups there is no order. Returns how many members it is sent to,
    /// those included for which it will be dropped.
    ///
    /// Writes the params once, and takes time in proportion to the number of members, while it holds a lock. The
    /// function runs nothing of the sessions by itself, so it may be called under locks of one's own.
    ///
    /// Throws `std::invalid_argument` for an empty method, and params that are neither array, object nor null, or have
    /// no JSON text; `std::bad_alloc`: some members get it, and others do not.
    std::size_t broadcast(std::string method, const call_params& params = {},
                          const std::shared_ptr<session_link>& except = nullptr);

    /// Returns the sessions that have not ended.
    std::vector<std::shared_ptr<session_link>> sessions() const;
    /// Returns the number of members: these sessions, and the requests of `stream_to`.
    std::size_t size() const;
    /// Returns how many notifications were dropped, summed over all members.
    std::uint64_t dropped() const noexcept;

private:
    const std::shared_ptr<group_state> state_;
};

} // namespace partyline
