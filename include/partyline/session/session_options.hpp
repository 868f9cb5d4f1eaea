#pragma once

#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/message.hpp>
#include <partyline/session/access_view.hpp>
#include <partyline/session/call_middleware.hpp>
#include <partyline/session/memory_budget.hpp>
#include <partyline/session/message_event.hpp>
#include <partyline/session/peer_identity.hpp>
#include <partyline/session/profile.hpp>
#include <partyline/session/request_quota.hpp>
#include <partyline/session/served_event.hpp>

#include <any>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

class session_link;
class session_totals;

/// The treatment of a request that can't start and has no room in the queue.
enum class overload : std::uint8_t {
    /// Answers -31001 "Server busy" and goes on reading, so that cancels get through. (A notification can't be
    /// answered: it ends the session with `errc::overloaded`.)
    busy,
    /// Stops reading until there is room. No request is refused, except for want of room in a `memory_budget` that is
    /// shared with others; and a handler that only a later message would end (a cancel, an answer) never ends. For
    /// input that comes from a file.
    pause,
};

/// The meaning of the end of input on a socket, whose peer may have ended only its own half of the connection.
enum class end_of_input : std::uint8_t {
    /// The peer sends nothing more and still reads: its requests are served, within `session_options::drain_timeout`.
    half_close,
    /// The peer has gone: its requests are cancelled, and a session that is not finished yet ends with
    /// `errc::peer_gone`.
    peer_gone,
};

/// The options of a session. The defaults are safe. Of all durations the largest, `duration::max()`, means never, and a
/// negative one at once.
///
///     partyline::session_options options;
///     options.framing = partyline::framing_kind::content_length;
///     options.bounds.message_bytes = 1 << 20;
///     options.drain_timeout = 5s;
///     options.log = [](std::string_view line) { show(line); };
///     options.user_data = settings();
///     partyline::session server(std::move(socket), std::move(methods), std::move(options));
struct session_options {
    /// The protocol.
    const partyline::profile* profile = &plain_profile;
    /// The framing of messages. Unset: that of the profile.
    std::optional<framing_kind> framing = {};
    /// The limits of the session.
    limits bounds = {};
    /// The memory budget that this session shares with others. Null: there is no such bound. (A `server` makes one for
    /// its sessions: see `server_options::memory_bytes`.)
    std::shared_ptr<memory_budget> budget = {};
    /// The peer, for handlers: see `request_context::peer`. The peer does not change while the session lives. Null:
    /// nothing is known of the peer. (A `server` and an `http::server` set it to the connection's; the former before
    /// `server_options::on_session_start`.)
    std::shared_ptr<const peer_identity> peer = {};
    /// The rights of the peer. They judge each request and notification when its method has been found, before anything
    /// of it is done. Null: everything may be called.
    std::shared_ptr<const access_view> access = {};
    /// The quota of the peer's requests; shared by all its sessions. A signed call of a peer without a principal counts
    /// with that of its signer as well. Null: only `bounds` limit them.
    std::shared_ptr<request_quota> quota = {};
    /// The treatment of lone surrogates in strings of the peer's messages.
    partyline::lone_surrogates lone_surrogates = partyline::lone_surrogates::refused;
    /// The treatment of requests beyond `limits::waiting_requests` and `waiting_bytes`. Unset: busy, but `run_stdio`
    /// takes pause when standard input is a regular file, which does not react to a refusal.
    std::optional<overload> on_overload = {};
    /// How long the peer may leave our output unread; then the session ends with `errc::write_stalled`. Zero: for ever.
    /// Unset: 60 s on a socket; 5 minutes of a child process, which a debugger may have stopped; for ever on anything
    /// else (a pager stops reading legitimately).
    std::optional<std::chrono::steady_clock::duration> write_stall = {};
    /// The bytes that a peer with unread output has to read in each `write_stall`, on average, so that it counts as
    /// reading; bytes beyond that do not count for later. Small, so that a slow line suffices: 273 bytes a second. (The
    /// system reports reading on a socket in steps of some 64 KiB.) Zero: any byte counts.
    std::size_t write_stall_bytes = std::size_t(16) << 10;
    /// The meaning of the end of input on a socket. A peer that has closed a Unix socket as a whole is noticed anyhow,
    /// and ends the session with `errc::peer_gone`; over TCP that can't be distinguished from half a close. So by
    /// default requests under way are finished, for clients that end their half before they read the replies (`printf
    /// ... | nc -N`).
    end_of_input at_end_of_input = end_of_input::half_close;
    /// How long handlers may still run after input has ended, or after `session::close()`; then they are cancelled and
    /// `async_run` ends with `errc::drain_timeout`. At the end of input it does not bound the sending of finished
    /// replies, and the time begins afresh when a peer has caught up that had left more than
    /// `limits::outbox_soft_bytes` unread. After `close()` it bounds handlers whether or not the peer reads, and when
    /// they have ended, once more, the sending of the remaining output. Unset: 30 s; 5 s on a connection that a
    /// `server` has accepted, whose peer may have gone although that can't be seen.
    std::optional<std::chrono::steady_clock::duration> drain_timeout = {};
    /// How long the first message may take to arrive as a whole; then the session ends with `errc::no_message`. Zero:
    /// for ever. Unset: 30 s on a connection that a `server` has accepted, for ever on any other.
    std::optional<std::chrono::steady_clock::duration> first_message_timeout = {};
    /// How long a session may have nothing to do, nothing in flight either way, nothing unsent, nothing that arrives or
    /// goes out; then it ends with `errc::idle`, up to a quarter of that time later. Zero: for ever. Unset: an hour on
    /// a connection that a `server` has accepted (forgotten sessions do not take up room for ever, and a client in use
    /// hardly pauses for so long), for ever on any other.
    std::optional<std::chrono::steady_clock::duration> idle_timeout = {};
    /// How long a peer may be silent until it is sent a ping, where the framing has pings (WebSocket); when it has been
    /// silent for as long again, the session ends with `errc::peer_gone`. Zero: for ever. Unset: 30 s.
    std::optional<std::chrono::steady_clock::duration> ping_interval = {};
    /// How long the peer may take to end its side after `session::close()` has ended ours; then the stream is closed.
    std::chrono::steady_clock::duration close_timeout = std::chrono::seconds(2);
    /// How long a cancelled handler may take to end when the session ends; then the session ends without it.
    std::chrono::steady_clock::duration cancel_grace = std::chrono::seconds(2);
    /// Sends the text of unexpected exceptions to the peer, as `data.what`. They may contain secrets, so the default is
    /// false.
    bool expose_errors = false;
    /// Whether the stream's executor runs one handler at a time already (one thread, or a strand): then the session
    /// makes no strand of its own. Setting it wrongly is a data race.
    bool executor_is_serial = false;
    /// Called with one line, without its end, for each event that is reported nowhere else. Text of peers and
    /// exceptions in it is escaped as by `printable`, and cut at 4 KiB. Must not throw; may be called from any thread.
    /// Empty: lines are written to stderr, without waiting for its reader: lines without room are dropped, and counted
    /// there.
    std::function<void(std::string_view)> log = {};
    /// Called for every message, received or sent, on the session's executor, and may refuse some. Must not throw.
    /// Empty: it has no cost.
    message_hook on_message = {};
    /// Called once for every request and notification, when it has ended. Where it is set, traces are read: see
    /// `request_context::trace`. Must not throw: an exception is logged, and otherwise ignored. Empty: it has no cost.
    served_hook on_served = {};
    /// A digest of the session's id for others, in `served_event::session_digest`: never the id itself, since anyone
    /// who knows that could send requests in the session. (For MCP over HTTP an `http::server` sets it, where there is
    /// an `on_served`, to the first 16 hexadecimal digits of the id's SHA-256.)
    std::string session_digest = {};
    /// Called when the session starts, before it serves anything, with a handle by which its peer can be notified and
    /// called at any time; see `session_group` for many of them. Runs on the session's executor: by several threads at
    /// once where sessions are on several. An exception is logged, and ends the session with `errc::session_failed`.
    /// Not called for a plain POST, which has no session. Empty: not called.
    std::function<void(const std::shared_ptr<session_link>&)> on_start = {};
    /// Called once when the session has ended, with the reason, if it had started; not where `on_start` has thrown, nor
    /// where the `io_context` is destroyed first. The handle is not open any more. Runs on the session's executor. Must
    /// not throw; an exception is logged. Empty: not called.
    std::function<void(const std::shared_ptr<session_link>&, error_code)> on_end = {};
    /// The totals to which this session adds its counters. Null: none.
    std::shared_ptr<session_totals> totals = {};
    /// The middleware that calls and notifications to the peer pass before they are sent. Empty: it has no cost.
    call_middleware_list around_calls = {};
    /// The object that the handlers of this session share: see `request_context::user_data`.
    std::any user_data = {};
};

} // namespace partyline
