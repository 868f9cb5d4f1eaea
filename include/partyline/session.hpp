#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/rpc/args.hpp>
#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/detail/serial_executor.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/served_methods.hpp>
#include <partyline/session/session_counters.hpp>
#include <partyline/session/session_options.hpp>
#include <partyline/transport/detail/byte_stream.hpp>
#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <memory>
#include <utility>

namespace partyline {

class session_driver;

namespace detail {

struct session_access;

} // namespace detail

/// One side of one conversation: serves the requests that come over a stream with the methods of a table, and calls the
/// peer. Both sides are alike; most clients have no methods.
///
/// A session starts no thread and touches no process-wide state. Any number of sessions run on one `io_context`, which
/// may have several threads: a session does everything on an executor of its own, a strand unless
/// `session_options::executor_is_serial` says that the stream's executor is serial already.
///
/// Misuse throws at once: `std::invalid_argument` for null methods, a null profile or limits out of their ranges,
/// `std::logic_error` for a session that was moved from.
///
/// Movable. Destroying it stops it without waiting: the objects that handlers refer to (the method table, their
/// contexts) live until the last handler has returned. The `io_context` must outlive the session.
///
/// Thread safety: calling the peer, `close()`, `stop()`, `use_methods()`, `use_access()`, `use_quota()`, `end_access()`
/// and `counters()` may be done from any thread; moving and destroying it need the usual care.
///
/// A session that calls, over a connected socket:
///
///     partyline::session client(std::move(socket)); // or a pipe, a child process, a stream over TLS
///     client.async_run([](partyline::error_code ended) { show(ended.message()); });
///     client.call<int>("add", args(2, 40))([&](partyline::error_code failed, partyline::call_result<int> sum) {
///         show(sum ? std::to_string(*sum) : failed.message());
///         client.close();
///     });
class PARTYLINE_EXPORT session final : public caller {
public:
    /// Serves requests that come over `stream`, any Asio stream (AsyncReadStream and AsyncWriteStream: sockets, pipes,
    /// TLS, `memory_stream`), which is moved in and closed at the end, by its `close()` or that of its lowest layer.
    template <class Stream>
    session(Stream stream, const served_methods& methods, session_options options = {})
    {
        const boost::asio::any_io_executor executor = detail::serial_executor(stream.get_executor(), options);
        init(executor, std::make_unique<detail::stream_adapter<Stream>>(std::move(stream), executor), methods,
             std::move(options));
    }

    /// Makes a session that only calls: requests of the peer are answered "Method not found".
    template <class Stream>
        requires requires(Stream& stream) { stream.get_executor(); }
    explicit session(Stream stream, session_options options = {})
        : session(std::move(stream), no_methods(), std::move(options))
    {
    }

    session(session&&) noexcept = default;
    session& operator=(session&& other) noexcept;
    ~session();

    /// Runs the conversation to its end: until input has ended and everything has been answered and written.
    ///
    /// Completes with   void(error_code); success when input ended, or after `close()`, and everything was answered
    /// Fails with       errc::drain_timeout: handlers had to be cancelled, or calls given up, when time was over;
    ///                  errc::peer_closed, a `child_exit` code: the peer ended and left calls unanswered, or the child
    ///                  process did not end well by itself; errc::peer_gone: our output has no reader any more;
    ///                  errc::access_ended: the peer may not call any more, see `end_access()`; errc::write_stalled:
    ///                  the peer has stopped reading; errc::overloaded: no room for a notification; errc::bad_header:
    ///                  input can't be divided into messages; errc::stream_truncated: a connection over TLS was cut off
    ///                  within a message; errc::no_data: the peer sends records of TLS without data;
    ///                  errc::exit_without_shutdown: the peer has sent `exit` without `shutdown` (LSP);
    ///                  asio::error::operation_aborted: `stop()`, destruction or cancellation; errc::already_started,
    ///                  errc::session_closed: misuse; any error of the stream
    /// Cancellation     terminal, partial, total: the same as `stop()`
    /// Before           not run before: a session runs once
    /// Lifetime         the session may be moved or destroyed meanwhile; destruction stops it
    /// Threads          call it from any thread; the handler runs on its associated executor, by default the session's
    template <boost::asio::completion_token_for<void(error_code)> Token = boost::asio::deferred_t>
    auto async_run(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code)>(
            [](auto handler, std::shared_ptr<session_driver> driver) { start(std::move(driver), std::move(handler)); },
            token, driver_);
    }

    /// Ends the conversation in order: new calls and notifications fail with `errc::session_closed`, except those of
    /// handlers. Requests and calls under way go on until they end, or until `session_options::drain_timeout` is over;
    /// until then their handlers may still call and notify the peer, and requests that come are still served. Then the
    /// session ends its side of the stream, waits `close_timeout` for the end of the peer's side, ends a child process,
    /// closes the stream, and `async_run` completes. May be called from any thread and at any time; calling it again
    /// changes nothing.
    void close();

    /// Ends the conversation: cancels every handler, sends the answers to their requests, and completes `async_run`
    /// with `operation_aborted` when all have returned or `session_options::cancel_grace` is over. Calls fail with
    /// `errc::session_closed`. May be called from any thread and at any time. Calling it again ends the wait for a
    /// child process, or for the end of the peer's side.
    void stop();

    /// Serves the requests that come from now on with other methods; requests in flight keep theirs. (A table that a
    /// session uses is not changed.) May be called from any thread.
    void use_methods(std::shared_ptr<const dispatcher> methods);

    /// Judges the requests and notifications that come from now on by another view, see `session_options::access`;
    /// those that have come, and perhaps wait, go on. Null: everything may be called. May be called from any thread.
    /// Throws `std::logic_error` for a session that was moved from, `std::bad_alloc`: then nothing has changed.
    void use_access(std::shared_ptr<const access_view> view);

    /// Counts the requests and notifications that come from now on by another quota, see `session_options::quota`.
    /// Requests in flight keep their places in the former one. Null: there is no bound. May be called from any thread.
    /// Throws as `use_access`.
    void use_quota(std::shared_ptr<request_quota> quota);

    /// Ends the conversation since its peer may not call any more, such as when its credentials have expired: as
    /// `close()`, but requests that have not begun are refused, and requests that still come are answered -31005
    /// "Authentication required". Requests that run are answered. `async_run` completes with `errc::access_ended`. May
    /// be called from any thread and at any time.
    void end_access();

    /// The counters of the session, each as of the moment when it is read. May be called from any thread, also when the
    /// session has ended.
    session_counters counters() const;

    std::shared_ptr<lifecycle> session_lifecycle() const override;

    /// The executor of the session.
    boost::asio::any_io_executor get_executor() const;

private:
    friend struct detail::session_access; // makes one of what carries it
    explicit session(std::shared_ptr<session_driver> driver) noexcept : driver_(std::move(driver)) {}

    void check_callable() const override;
    void start_call(std::string method, call_params params, call_options options, call_handler done) override;
    void start_notify(std::string method, call_params params, notify_handler done) override;
    void start_batch(call_batch calls, call_options options, batch_handler done) override;

    static served_methods no_methods();
    void init(boost::asio::any_io_executor executor, std::unique_ptr<detail::byte_stream> stream,
              const served_methods& methods, session_options options);
    static void start(std::shared_ptr<session_driver> driver,
                      boost::asio::any_completion_handler<void(error_code)> done);

    std::shared_ptr<session_driver> driver_;
};

} // namespace partyline
