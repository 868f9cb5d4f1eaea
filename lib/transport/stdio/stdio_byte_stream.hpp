#pragma once

#include "transport/stdio/input_spin.hpp"
#include "transport/stdio/shared_socket.hpp"
#include "transport/stdio/stdio_wire.hpp"

#include <partyline/transport/detail/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <optional>

namespace partyline {

/// Standard input and output as a session's stream.
class stdio_byte_stream final : public detail::byte_stream {
public:
    /// In whose process it is. Another's writes block SIGPIPE, and its io_context sleeps where it has nothing to do;
    /// `run_stdio` sees to that signal, and has an io_context of its own.
    enum class owner : bool { run_stdio, other };

    stdio_byte_stream(const stdio_wire& wire, boost::asio::any_io_executor executor, owner of);

    void start_read(boost::asio::mutable_buffer target, std::shared_ptr<user> told) override;
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed) override;
    bool can_try_write() const noexcept override { return true; }
    void start_write(boost::asio::const_buffer source, std::shared_ptr<user> told) override;
    bool is_socket() const noexcept override { return false; }
    bool close_send() override { return false; } // that is the end of the process
    void start_close(std::shared_ptr<user> told) override;

private:
    template <class Handler>
    void async_read(boost::asio::mutable_buffer target, Handler done);
    std::size_t write_some(boost::asio::const_buffer source, error_code& failed);

    // What is no socket; of one that is, the other is set.
    boost::asio::posix::stream_descriptor input_;
    boost::asio::posix::stream_descriptor output_;
    std::optional<shared_socket> input_socket_;
    std::optional<shared_socket> output_socket_;
    // Regular files never make anybody wait, so they are read and written directly and keep their flags.
    bool is_input_file_;
    bool is_output_file_;
    bool blocks_sigpipe_;
    bool is_output_missing_;
    std::optional<input_spin> spin_; // where there may be something to wait for
};

} // namespace partyline
