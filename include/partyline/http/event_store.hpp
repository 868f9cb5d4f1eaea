#pragma once

#include <partyline/config.hpp>

#include <boost/asio/awaitable.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace partyline::http {

/// Names one event stream of one session.
struct event_stream_key {
    /// The SHA-256 of the session's id, 64 hexadecimal digits; `served_event::session_digest` has the first 16 of them.
    /// The id itself gives access to the session, and is not disclosed.
    std::string session = {};
    /// The number of the stream in its session. 0: the stream that GET opens. The responses to POSTs that are streams
    /// have the numbers from 1 on.
    std::uint64_t stream = 0;

    /// Orders keys by their sessions, then by their streams.
    auto operator<=>(const event_stream_key&) const = default;
};

/// One event of a stream.
struct stored_event {
    /// The number of the event in its stream, from 1 on.
    std::uint64_t number = 0;
    /// The JSON-RPC message, on one line without a line break.
    std::string message = {};
};

/// Events of one stream in the order of their numbers, and where the stream ends.
struct stored_events {
    /// The events; may be empty.
    std::vector<stored_event> events = {};
    /// The end of a complete stream: the number after that of its last event. 0: more events may follow, or the end is
    /// not known.
    std::uint64_t end = 0;
};

/// Stores the events of a server's sessions beyond those that the server keeps in memory:
/// `server_options::event_store`.
///
/// A server always keeps the newest events of each stream in memory, within the bounds of `mcp_session_limits`: the
/// events that are still to be sent are among them. With a store, each event of a stream is appended to it as well, and
/// a client that resumes a stream (GET with `Last-Event-ID`) gets the events that memory has no longer from the store:
/// all events after that one, in order, each once, and then those of the memory and new ones. The store decides how
/// many events it keeps, and for how long. A store has to expire them by itself, since it is not told when a process
/// dies.
///
/// Sessions do not survive their process, and no other process has them: their requests are answered 404, whatever a
/// store has, and the client begins a new session. A store adds retention: it keeps streams that are longer, older or
/// more numerous than memory has room for, for as long as their session lives. A store is also a record of sent
/// messages, but not a complete one: responses of JSON are no streams, and the last events of a session that ends may
/// be missing. Several servers may share a store, since no two sessions have the same key.
///
/// An example of a store is in the guide's page "HTTP".
///
/// The server does not depend on a store: the server goes on where a store fails, throws, is slow, or never completes.
///   - While a store is slower than the handlers of a stream, these are slowed down, as by a slow client. A call that
///     has not completed after 10 seconds has failed: it is cancelled. A stream whose `append` has failed does not wait
///     for the store, until one completes again.
///   - Events that failed to be appended are appended again, up to four times a second, as long as memory has them, but
///     not before the failed call has ended. Each time 64 streams are tried. Events that memory has dropped by then are
///     lost for the store, and the log says so. When a stream leaves memory, the rest of its events is handed over by
///     one last `append`.
///   - A client that resumes a stream is answered 503 where the store fails, and 400, as without one, where the events
///     are not there. Once the response has begun it ends early instead, so that the client comes back.
///   - At most 256 calls are under way, for each thread and MCP endpoint, of which 128 may be `read`, and 8 of these
///     for one session. Their data counts in the server's memory, and so do events that wait for a store.
///   - A call that never ends, not even by its cancellation, keeps its place, and the store, until the executor's
///     context is destroyed: `io_context::run()` does not return, though the server has ended.
///
/// Thread safety: the server calls all members on its own executor, at the same time for several streams, and with
/// `server_options::threads` on several threads. They must not block. A coroutine stays on that executor: it does work
/// elsewhere by `co_await co_spawn(pool, work(), use_awaitable)`. Calls for one stream: one `append` at a time, until
/// its coroutine has ended; `read` at any time.
class PARTYLINE_EXPORT event_store {
public:
    virtual ~event_store() = default;

    /// Appends events to a stream. They come in the order of their numbers, without those that were lost. After a
    /// failure, or where the server did not learn of a success, the same events may come again, with the same numbers
    /// and messages. `end` comes with the last events or after them, and is repeated only as these are.
    ///
    /// Completes with  nothing, once `read` finds the events
    /// Fails with      any exception: it is logged, and the events are appended again later
    /// Cancellation    terminal, partial, total: it takes too long, or the server ends; the events and the end may be
    ///                 stored or not
    /// Lifetime        the store outlives the operation, which may end after the session
    virtual boost::asio::awaitable<void> append(event_stream_key to, stored_events what) = 0;

    /// Reads the events of a stream from the number `from` on, in order, and its `end` where that was appended. The
    /// messages have at most `max_bytes` together, but the first one may be longer. Events that do not continue the
    /// stream from `from` on are ignored, and so are events beyond `max_bytes`: these are read again.
    ///
    /// Completes with  the events; without any where there are none from `from` on, or the stream is unknown
    /// Fails with      any exception: it is logged, and the client is answered 503
    /// Cancellation    terminal, partial, total: it takes too long, the client has gone, or the server ends
    /// Lifetime        the store outlives the operation
    virtual boost::asio::awaitable<stored_events> read(event_stream_key of, std::uint64_t from,
                                                       std::size_t max_bytes) = 0;

    /// Forgets a session that has ended: its events will not be read any more. `session` is as in `event_stream_key`.
    /// An `append` that was under way may complete later. Not called where too many calls are under way or the server
    /// itself ends, so the events in the store must expire without this call, too.
    ///
    /// Completes with  nothing
    /// Fails with      any exception: it is logged, and the call not repeated
    /// Cancellation    terminal, partial, total: it takes too long, or the server ends
    /// Lifetime        the store outlives the operation
    virtual boost::asio::awaitable<void> end_session(std::string session) = 0;
};

} // namespace partyline::http
