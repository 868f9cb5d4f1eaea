#pragma once

#include <partyline/config.hpp>
#include <partyline/session/detail/end_reason.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <cstddef>
#include <memory>

namespace partyline::detail {

/// Where a session's bytes come from and go to: any stream, erased, so that sessions are compiled once.
/// Users don't meet it: a session makes one from the stream that it is given (see stream_adapter.hpp).
///
/// Thread safety: none; used on the session's executor, and tells its user there.
class PARTYLINE_EXPORT byte_stream {
public:
    /// The user of a stream, whose functions are called when operations end. Kept alive by each operation under way.
    class user {
    public:
        virtual ~user() = default;
        virtual void on_read(error_code failed, std::size_t count) = 0;
        virtual void on_written(error_code failed, std::size_t count) = 0;
        /// A wait has ended: a read gives bytes, or fails.
        virtual void on_readable() {}
        /// The peer has closed both directions: it neither sends nor reads any more.
        virtual void on_hang_up() {}
        /// The stream is closed, with all that belongs to it.
        virtual void on_closed() = 0;
    };

    virtual ~byte_stream() = default;

    /// Reads at least one byte, then tells `on_read`. `asio::error::eof` is the end of input. Ends a watch.
    virtual void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) = 0;

    /// Whether `start_wait` and `try_read` serve: whoever waits by them needs no buffer meanwhile.
    virtual bool can_wait() const noexcept { return false; }
    /// Waits until a read gives something, then tells `on_readable`. Ends a watch.
    virtual void start_wait(std::shared_ptr<user>) {}
    /// Reads what there is and returns how much that was; fails with `asio::error::would_block` when there is nothing.
    virtual std::size_t try_read(boost::asio::mutable_buffer target, error_code& failed)
    {
        static_cast<void>(target);
        failed = boost::asio::error::would_block;
        return 0;
    }

    /// Writes what goes out without waiting and returns how much that was; a stream that can't tell fails with
    /// `asio::error::would_block`.
    virtual std::size_t try_write(boost::asio::const_buffer source, error_code& failed) = 0;

    /// Whether it can tell: what `try_write` leaves unsent is what the peer has no room for.
    virtual bool can_try_write() const noexcept { return false; }

    /// Writes at least one byte, then tells `on_written`.
    virtual void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) = 0;

    /// Waits until the peer has closed both directions, then tells `on_hang_up`; where that can be seen, and unless it
    /// does so already. Not while a read is under way, which sees more: the end of input.
    virtual void start_watch(std::shared_ptr<user>) {}

    /// Whether nothing will come from the peer but what the system has already; false where that can't be told.
    virtual bool has_ended_input() { return false; }

    /// How much of what was written still waits in the system for the peer, in bytes or in what the system counts
    /// instead; 0 where that can't be told.
    virtual std::size_t unread() { return 0; }

    /// Whether it is a network connection, possibly wrapped: its peer may vanish without a trace.
    virtual bool is_socket() const noexcept = 0;

    /// Says that nothing more will be written: the peer reads the end of input. False: this stream has no way to say
    /// so.
    virtual bool close_send() = 0;

    /// Ends every operation under way, with `operation_aborted`, and the resource behind the stream (a child process,
    /// in order); then tells `on_closed`, never from within. Called again before that: without any more waiting.
    virtual void start_close(std::shared_ptr<user> told) = 0;

    /// The error of calls without a reply, once `eof` has been read, or nothing more can be written.
    virtual end_reason why_ended() const { return {}; }

    /// Whether `eof`, or the code of `why_ended`, will be read, soon, when nothing more can be written: then
    /// `why_ended` knows more.
    virtual bool explains_end() const noexcept { return false; }
};

} // namespace partyline::detail
