#include "transport/stdio/stdio_byte_stream.hpp"

#include "transport/errno_code.hpp"

#include <partyline/transport/detail/sigpipe_block.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <cerrno>

#include <unistd.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

std::size_t read_file(int descriptor, asio::mutable_buffer target, error_code& failed)
{
    for (;;) {
        const ssize_t count = ::read(descriptor, target.data(), target.size());
        if (count > 0)
            return static_cast<std::size_t>(count);
        if (count < 0 && errno == EINTR)
            continue;
        failed = count == 0 ? error_code(asio::error::eof) : errno_code();
        return 0;
    }
}

std::size_t write_file(int descriptor, asio::const_buffer source, error_code& failed)
{
    const std::size_t all = source.size();
    while (source.size() != 0) {
        const ssize_t count = ::write(descriptor, source.data(), source.size());
        if (count >= 0) {
            source += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            failed = errno_code();
            break;
        }
    }
    return all - source.size();
}

} // namespace

stdio_byte_stream::stdio_byte_stream(const stdio_wire& wire, asio::any_io_executor executor, owner of)
    : input_(executor), output_(executor), is_input_file_(wire.input().is_regular_file()),
      is_output_file_(wire.output().is_regular_file()), blocks_sigpipe_(of == owner::other),
      is_output_missing_(wire.is_output_missing())
{
    if (wire.input().is_socket())
        input_socket_.emplace(executor, wire.input().open(), shared_socket::event::readable);
    else
        input_.assign(wire.input().open());
    if (wire.output().is_socket())
        output_socket_.emplace(executor, wire.output().open(), shared_socket::event::writable);
    else
        output_.assign(wire.output().open());
    if (output_.is_open() && !is_output_file_)
        output_.non_blocking(true);
    if (of == owner::run_stdio && !is_input_file_ && input_spin::is_possible())
        spin_.emplace(std::move(executor));
}

void stdio_byte_stream::start_read(asio::mutable_buffer target, std::shared_ptr<user> told)
{
    if (is_input_file_) {
        asio::post(input_.get_executor(), [this, target, told = std::move(told)] {
            error_code failed;
            const std::size_t count = read_file(input_.native_handle(), target, failed);
            told->on_read(failed, count);
        });
        return;
    }
    async_read(target, [this, told = std::move(told)](error_code failed, std::size_t count) {
        // A terminal whose other side has gone.
        if (failed == error_code(EIO, boost::system::system_category()))
            failed = asio::error::eof;
        if (spin_)
            spin_->on_input();
        told->on_read(failed, count);
    });
    if (spin_)
        spin_->on_wait();
}

template <class Handler>
void stdio_byte_stream::async_read(asio::mutable_buffer target, Handler done)
{
    if (input_socket_)
        input_socket_->async_read(target, std::move(done));
    else
        input_.async_read_some(target, std::move(done));
}

std::size_t stdio_byte_stream::try_write(asio::const_buffer source, error_code& failed)
{
    if (is_output_missing_) {
        failed = asio::error::broken_pipe; // what stands in its place takes everything
        return 0;
    }
    if (output_socket_)
        return output_socket_->try_write(source, failed);
    if (is_output_file_)
        return write_file(output_.native_handle(), source, failed);
    return write_some(source, failed);
}

std::size_t stdio_byte_stream::write_some(asio::const_buffer source, error_code& failed)
{
    if (!blocks_sigpipe_)
        return output_.write_some(source, failed);
    const detail::sigpipe_block quiet;
    return output_.write_some(source, failed);
}

void stdio_byte_stream::start_write(asio::const_buffer source, std::shared_ptr<user> told)
{
    if (output_socket_)
        return output_socket_->start_write(source, std::move(told));
    // Not async_write_some, which would first repeat the write that was refused.
    output_.async_wait(asio::posix::descriptor_base::wait_write,
                       [this, source, told = std::move(told)](error_code failed) mutable {
                           const std::size_t count = failed ? 0 : try_write(source, failed);
                           if (failed == asio::error::would_block)
                               start_write(source, std::move(told));
                           else
                               told->on_written(failed, count);
                       });
}

void stdio_byte_stream::start_close(std::shared_ptr<user> told)
{
    error_code ignored;
    input_.close(ignored);
    output_.close(ignored);
    if (input_socket_)
        input_socket_->close();
    if (output_socket_)
        output_socket_->close();
    asio::post(input_.get_executor(), [told = std::move(told)] { told->on_closed(); });
}

} // namespace partyline
