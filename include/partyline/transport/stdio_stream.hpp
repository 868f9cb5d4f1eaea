#pragma once

#include <partyline/config.hpp>
#include <partyline/transport/detail/byte_stream.hpp>
#include <partyline/transport/detail/stream_adapter.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <memory>

namespace partyline {

class stdio_wire;

/// Standard input and output as the stream of a session, on an `io_context` of one's own. `run_stdio` serves by this
/// stream: pipes, terminals, sockets and files, without O_NONBLOCK on what other processes share. A program that does
/// nothing but serve calls `run_stdio`, which also takes signals, looks out for a reader that has gone while nothing is
/// written, and has exit codes.
///
/// Guarded, descriptor 0 is /dev/null and descriptor 1 is stderr from here on, so that stray prints and child processes
/// keep off the wire. Both are put back when the session has closed the stream, before `async_run` completes; or when
/// the stream is destroyed.
///
/// Output that nobody reads, or that was closed from the start, fails the session with `errc::peer_gone`, without
/// SIGPIPE. (A file that may not grow any more ends the process by SIGXFSZ, unless that is ignored.)
///
/// Movable; for a session alone.
/// Thread safety: none; process-wide, so there is one at a time.
///
///     partyline::session session(partyline::stdio_stream(executor), std::move(methods));
///     session.async_run([](partyline::error_code ended) { show(ended.message()); });
class PARTYLINE_EXPORT stdio_stream {
public:
    /// The type of the executor, as a session requires it of a stream.
    using executor_type = boost::asio::any_io_executor;

    /// Takes standard input and output. Throws `std::logic_error` while another one, or `run_stdio`, has them, and
    /// `system_error`.
    explicit stdio_stream(executor_type executor, bool guard = true);
    stdio_stream(stdio_stream&& other) noexcept;
    stdio_stream& operator=(stdio_stream&& other) noexcept;
    ~stdio_stream();

    /// The executor of the session, which works on a strand of it, unless `session_options::executor_is_serial`.
    executor_type get_executor() const noexcept { return executor_; }

    /// Whether input is a regular file. Requests from a file that were refused for want of room are not sent again: for
    /// that `session_options::on_overload` is `overload::pause`, as `run_stdio` has it.
    bool is_input_file() const noexcept;

private:
    friend class detail::stream_adapter<stdio_stream>;

    executor_type executor_;
    std::shared_ptr<stdio_wire> wire_; // null when moved from
};

namespace detail {

/// The stream's part in a session.
template <>
class PARTYLINE_EXPORT stream_adapter<stdio_stream> final : public byte_stream {
public:
    stream_adapter(stdio_stream stream, const boost::asio::any_io_executor& executor);
    ~stream_adapter() override;

    void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) override;
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed) override;
    bool can_try_write() const noexcept override;
    void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) override;
    bool is_socket() const noexcept override;
    bool close_send() override;
    void start_close(std::shared_ptr<user> told) override;

private:
    std::shared_ptr<stdio_wire> wire_;
    std::unique_ptr<byte_stream> stream_; // of the wire
};

} // namespace detail

} // namespace partyline
