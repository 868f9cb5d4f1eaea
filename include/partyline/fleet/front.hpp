#pragma once

#include <partyline/config.hpp>
#include <partyline/fleet/bus.hpp>
#include <partyline/fleet/fleet_call.hpp>
#include <partyline/fleet/fleet_errc.hpp>
#include <partyline/fleet/fleet_session_options.hpp>
#include <partyline/fleet/front_options.hpp>
#include <partyline/fleet/totals.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session.hpp>
#include <partyline/session/call_result.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::fleet {

class front_service;

/// Passes calls on to the workers of a service, over NATS. Each call has one answer: that of a worker, or an error
/// that says what is known:
///
/// | error | reason |
/// |---|---|
/// | -31001 "Server busy", `data.reason` | "no worker", "queue full", "too many calls" (of this client), |
/// | | "bus unreachable", "closing": nothing was done |
/// | -31004, `data {"executed":"unknown"}` | the worker with the call was lost, or it is unknown whether one had it |
/// | -32800 "Request cancelled", `data {"reason":"deadline"}` | the call took too long; the worker is told to cancel |
/// | -32600, `data {"reason":"size"}` | the call is larger than the bus takes |
/// | -32603, `data {"reason":"size"}` | the reply is larger than the bus takes |
///
/// A call that is not idempotent runs at most once; an idempotent call runs at least once.
///
///     partyline::fleet::bus bus({.servers = {"nats://n1", "nats://n2", "nats://n3"}});
///     partyline::fleet::front tools(context.get_executor(), bus, "tools");
///     partyline::http::server server(context.get_executor());
///     server.add_rpc("/rpc", tools.maker());
///     server.add_websocket("/ws", tools.maker());
///
/// Everything happens on the given executor, which is serial: that of one thread, or a strand. Movable; destroying a
/// front is `close()`, except that sessions end at once. The `io_context` outlives the front.
///
/// Thread safety: all but moving and destroying, from any thread.
class PARTYLINE_EXPORT front {
public:
    /// Throws `std::invalid_argument` for an invalid name of the service, which has 1 to 64 letters, digits, `_` and
    /// `-`; and for bounds of a client that are 0.
    front(boost::asio::any_io_executor executor, const bus& by, std::string service, front_options options = {});
    front(front&&) noexcept = default;
    front& operator=(front&& other) noexcept;
    ~front();

    /// Makes conversations that pass on all requests and notifications, with the same params, results, ids and progress
    /// tokens, byte by byte. Cancels are passed on, whether by the protocol or because the client has gone, and so are
    /// the peer (`session_options::peer`) and the trace. The profile is kept by reference. The maker may also be called
    /// when the front is gone: then calls are answered "closing".
    served_methods maker(const profile& speaks = plain_profile) const;

    /// Has a worker serve a call.
    ///
    /// Completes with   the worker's result
    /// Fails with       the worker's error, or one of the errors above; asio::error::operation_aborted;
    ///                  asio::error::no_memory: the call may have run
    /// Cancellation     terminal, partial, total: completes at once, and the worker is told to cancel
    /// Lifetime         the call is taken over; the front may be moved or destroyed meanwhile, which answers "closing"
    /// Threads          any; the handler runs on its associated executor, by default the front's
    operation<json_text> call(fleet_call what) const;

    /// The call of a request, for `forward`: its method, id, peer and trace, with these params.
    static fleet_call call_of(request_context& context, json_text params);
    /// Has a worker serve a client's request, for methods that do more than those of `maker`. Notifications of the
    /// worker meanwhile are passed on to the client, in order and before the task ends, unless `passes`, which may be
    /// empty, returns false for them. A client that leaves more than `front_options::max_unread_bytes` unread is
    /// answered -32603.
    ///
    /// Completes with   response: the worker's result or error, or one of the errors above
    /// Fails with       system_error: asio::error::operation_aborted: the request was cancelled;
    ///                  asio::error::no_memory: the call may have run
    /// Cancellation     that of the request; the worker is told to cancel. Destroying the task does the same
    /// Lifetime         the context, which the handler has, outlives the task; the front need not
    /// Threads          where the handler runs
    task<response> forward(request_context& context, fleet_call call,
                           std::function<bool(std::string_view method, const json_text& params)> passes = {}) const;

    /// Makes a session with one worker, for conversations that last longer than a call. The session opens when it runs;
    /// then both sides call and notify, in order, as over any stream:
    ///
    ///     const partyline::fleet::bus bus({.servers = {"nats://n1", "nats://n2", "nats://n3"}});
    ///     const partyline::fleet::front tools(context.get_executor(), bus, "tools");
    ///     partyline::session peer = tools.open_session(std::move(methods));
    ///     peer.async_run([](partyline::error_code ended) { show(ended.message()); });
    ///     const int sum = co_await peer.call<int>("add", args(2, 40));
    ///
    /// The opening waits in the queue as calls do, for up to 30 s. Besides the errors of every session, `async_run` and
    /// calls fail with: fleet_errc::not_opened: no worker has opened the session, or its client has too many sessions,
    /// with the reason in the details of the calls, and for `fleet_session_options::on_opened`; errc::peer_gone: the
    /// worker, or this front, is gone, or the bus could not be reached for ten seconds. A call that was under way then
    /// may have run. No call runs twice, and no message is sent twice.
    ///
    /// The session does everything on the front's executor. The session may outlive the front: then its peer is gone.
    /// The profile in `fleet_session_options::session` is kept by reference. Throws `std::invalid_argument` for null
    /// methods and for options that make no sense. From any thread.
    session open_session(const served_methods& methods, fleet_session_options options = {}) const;

    /// Answers "closing" to open calls and to calls that come later; the workers are told to cancel. Sessions end in
    /// order, as by `session::close()`; destroying the front ends them at once.
    void close() noexcept;

    /// The counters of the front, as of a moment ago.
    front_totals counters() const noexcept;

private:
    std::shared_ptr<front_service> service_; // null when moved from
};

} // namespace partyline::fleet
