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

/// What a session does with a request that can't start and finds no room among those that wait.
enum class overload : std::uint8_t {
    /// Answers -31001 "Server busy" and goes on reading, so that cancels get through. (A notification can't be
    /// answered: it ends the session with `errc::overloaded`.)
    busy,
    /// Stops reading until there is room. Nothing is refused, but for what a `memory_budget` that is shared with others
    /// leaves no room for; and what only a later message would release (a cancel, an answer) is never released. For
    /// input that comes from a file.
    pause,
};

/// What the end of input says about a peer on a socket, which may have ended only its own half of the connection.
enum class end_of_input : std::uint8_t {
    /// It sends nothing more and still reads: what it has asked for is done, within `session_options::drain_timeout`.
    half_close,
    /// It has gone: what it has asked for is cancelled, and a session that still worked ends with `errc::peer_gone`.
    peer_gone,
};

/// How a session behaves. The defaults are safe. Of all durations the largest, `duration::max()`, means never, and a
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
    /// The protocol that is spoken.
    const partyline::profile* profile = &plain_profile;
    /// How messages are told apart on the wire. Unset: as the profile has it.
    std::optional<framing_kind> framing = {};
    /// What a peer can make the session cost.
    limits bounds = {};
    /// What this session and others can be made to cost together. Null: there is no such bound. (A `server` makes one
    /// for its sessions: see `server_options::memory_bytes`.)
    std::shared_ptr<memory_budget> budget = {};
    /// The peer, for handlers: see `request_context::peer`. It does not change while the session lives. Null: a peer
    /// of which nothing is known. (A `server` and an `http::server` set it to the connection's; the former before
    /// `server_options::on_session_start`.)
    std::shared_ptr<const peer_identity> peer = {};
    /// What the peer may call. Each request and notification is judged by it when its method has been found, and before
    /// anything of it is done. Null: everything.
    std::shared_ptr<const access_view> access = {};
    /// How often and how much at once the peer may call; shared by all its sessions. A signed call of a peer without a
    /// principal counts with that of its signer as well. Null: as `bounds` alone say.
    std::shared_ptr<request_quota> quota = {};
    /// What becomes of a lone surrogate in the strings of what the peer sends.
    partyline::lone_surrogates lone_surrogates = partyline::lone_surrogates::refused;
    /// What to do beyond `limits::waiting_requests` and `waiting_bytes`. Unset: busy, but `run_stdio` takes pause when
    /// standard input is a regular file, which does not react to a refusal.
    std::optional<overload> on_overload = {};
    /// How long the peer may leave unread what we write; then the session ends with `errc::write_stalled`. Zero: for
    /// ever. Unset: 60 s on a socket; 5 minutes of a child process, which a debugger may have stopped; for ever on
    /// anything else (a pager stops reading legitimately).
    std::optional<std::chrono::steady_clock::duration> write_stall = {};
    /// How much a peer that is behind has to read in each `write_stall`, on average, so that it counts as reading; what
    /// it reads beyond that is no credit for later. Small, so that a slow line suffices: 273 bytes a second. (The
    /// system tells of what is read on a socket in steps of some 64 KiB.) Zero: any byte counts.
    std::size_t write_stall_bytes = std::size_t(16) << 10;
    /// What the end of input on a socket means. That a peer on a Unix socket has closed it as a whole is seen anyhow,
    /// and ends the session with `errc::peer_gone`; over TCP that can't be told from half a close. So by default what
    /// is under way is finished, for clients that end their half before they read the replies (`printf ... | nc -N`).
    end_of_input at_end_of_input = end_of_input::half_close;
    /// How long handlers may still run after input has ended, or after `session::close()`; then they are cancelled and
    /// `async_run` ends with `errc::drain_timeout`. At the end of input it does not bound the sending of finished
    /// replies, and the time begins afresh when a peer has caught up that had left more than
    /// `limits::outbox_soft_bytes` unread. After `close()` it bounds handlers whether or not the peer reads, and when
    /// they have ended, once more, the sending of what is left. Unset: 30 s; 5 s on a connection that a `server` has
    /// accepted, whose peer may have gone although that can't be seen.
    std::optional<std::chrono::steady_clock::duration> drain_timeout = {};
    /// How long the first message may take to arrive as a whole; then the session ends with `errc::no_message`. Zero:
    /// for ever. Unset: 30 s on a connection that a `server` has accepted, for ever on any other.
    std::optional<std::chrono::steady_clock::duration> first_message_timeout = {};
    /// How long a session may have nothing to do, nothing in flight either way, nothing unsent, nothing that arrives or
    /// goes out; then it ends with `errc::idle`, up to a quarter of that time later. Zero: for ever. Unset: an hour on
    /// a connection that a `server` has accepted (what is forgotten does not take up room for ever, and who still works
    /// with it hardly pauses for so long), for ever on any other.
    std::optional<std::chrono::steady_clock::duration> idle_timeout = {};
    /// How long a peer may say nothing until it is asked whether it is there, where the framing has a way to ask
    /// (WebSocket); when it has said nothing for as long again, the session ends with `errc::peer_gone`. Zero: for
    /// ever. Unset: 30 s.
    std::optional<std::chrono::steady_clock::duration> ping_interval = {};
    /// How long the peer may take to end its side after `session::close()` has ended ours; then the stream is closed.
    std::chrono::steady_clock::duration close_timeout = std::chrono::seconds(2);
    /// How long a cancelled handler may take to end when the session ends; then the session ends without it.
    std::chrono::steady_clock::duration cancel_grace = std::chrono::seconds(2);
    /// Sends the text of unexpected exceptions to the peer, as `data.what`. They may tell secrets, so: off.
    bool expose_errors = false;
    /// The stream's executor runs one handler at a time already (one thread, or a strand): the session makes no strand
    /// of its own. Setting it wrongly is a data race.
    bool executor_is_serial = false;
    /// Told what nobody else would hear of: one line, without its end. What peers and exceptions have put into it is
    /// escaped as by `printable`, and cut at 4 KiB. Must not throw; may be called from any thread. Empty: written to
    /// stderr, without waiting for whoever reads that: what finds no room is dropped, and counted there.
    std::function<void(std::string_view)> log = {};
    /// Sees every message in and out, on the session's executor, and may refuse some. Must not throw. Empty: nothing is
    /// paid for it.
    message_hook on_message = {};
    /// Told of every request and notification once, when it has ended. Where it is set, traces are read: see
    /// `request_context::trace`. Must not throw: what it throws is logged, and otherwise ignored. Empty: nothing is
    /// paid for it.
    served_hook on_served = {};
    /// What stands for the id of the session where others see it, in `served_event::session_digest`: never the id
    /// itself, by which whoever knows it could speak in the session. (For MCP over HTTP an `http::server` sets it,
    /// where there is an `on_served`, to the first 16 hexadecimal digits of the id's SHA-256.)
    std::string session_digest = {};
    /// Called when the session starts, before it serves anything, with a handle by which its peer can be notified and
    /// called at any time; see `session_group` for many of them. Runs on the session's executor: by several threads at
    /// once where sessions are on several. An exception is logged, and ends the session with `errc::session_failed`.
    /// Not called for a plain POST, which has no session. Empty: no call.
    std::function<void(const std::shared_ptr<session_link>&)> on_start = {};
    /// Called once when the session has ended, with the reason, if it had started; not where `on_start` has thrown, nor
    /// where the `io_context` is destroyed first. The handle is not open any more. Runs on the session's executor. Must
    /// not throw; an exception is logged. Empty: no call.
    std::function<void(const std::shared_ptr<session_link>&, error_code)> on_end = {};
    /// What this session and others have done together. Null: nobody asks.
    std::shared_ptr<session_totals> totals = {};
    /// What calls and notifications to the peer pass before they are sent. Empty: nothing is paid for it.
    call_middleware_list around_calls = {};
    /// Whatever the handlers of this session share: see `request_context::user_data`.
    std::any user_data = {};
};

} // namespace partyline
