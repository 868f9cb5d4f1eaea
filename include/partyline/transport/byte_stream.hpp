#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <memory>

namespace partyline {

/// Where a session's bytes come from and go to: any stream, erased, so that sessions are compiled once.
/// Users don't meet it: a session makes one from the stream that it is given (see stream_adapter.hpp).
///
/// Thread safety: none; used on the session's executor, and tells its user there.
class byte_stream {
public:
    /// Who is told what becomes of the operations. Kept alive by each operation under way.
    class user {
    public:
        virtual ~user() = default;
        virtual void on_read(error_code failed, std::size_t count) = 0;
        virtual void on_written(error_code failed, std::size_t count) = 0;
    };

    virtual ~byte_stream() = default;

    /// Reads at least one byte, then tells `on_read`. `asio::error::eof` is the end of input.
    virtual void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) = 0;

    /// Writes what goes out without waiting and returns how much that was; a stream that can't tell fails with
    /// `asio::error::would_block`.
    virtual std::size_t try_write(boost::asio::const_buffer source, error_code& failed) = 0;

    /// Writes at least one byte, then tells `on_written`.
    virtual void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) = 0;

    /// Whether it is a network connection, possibly wrapped: its peer may vanish without a trace.
    virtual bool is_socket() const noexcept = 0;

    /// Ends every operation under way, with `operation_aborted`.
    virtual void close() = 0;
};

} // namespace partyline
