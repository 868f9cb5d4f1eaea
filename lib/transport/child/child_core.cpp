#include "transport/child/child_core.hpp"

#include <partyline/transport/detail/sigpipe_block.hpp>

#include <boost/asio/strand.hpp>

#include <cerrno>
#include <csignal>

#include <sys/socket.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

void adopt(asio::posix::stream_descriptor& by, owned_descriptor& descriptor)
{
    if (!descriptor)
        return;
    by.assign(descriptor.get());
    descriptor.release();
    by.non_blocking(true);
}

} // namespace

child_core::child_core(asio::any_io_executor executor, started_child child, child_options options)
    : executor_(std::move(executor)), strand_(asio::make_strand(executor_)), options_(std::move(options)),
      is_socket_(options_.channel == child_channel::socket_pair),
      report_(std::make_shared<child_report>(child.process.leader())), process_(std::move(child.process)),
      input_(executor_), output_(executor_), end_(executor_), look_timer_(executor_), eof_timer_(executor_),
      end_timer_(executor_)
{
    adopt(input_, child.input);
    adopt(output_, child.output);
    adopt(end_, child.end);
    if (child.errors)
        errors_ = std::make_shared<stderr_reader>(strand_, std::move(child.errors), report_, options_.on_stderr_line);
}

void child_core::start()
{
    if (errors_)
        asio::post(strand_, [errors = errors_] { errors->start(); });
    const std::lock_guard lock(mutex_);
    watch();
}

bool child_core::has_exited() const
{
    const std::lock_guard lock(mutex_);
    return has_exited_;
}

bool child_core::is_gone() const
{
    const std::lock_guard lock(mutex_);
    return is_gone_;
}

bool child_core::is_closed() const
{
    const std::lock_guard lock(mutex_);
    return is_closed_;
}

detail::end_reason child_core::why_ended() const
{
    detail::end_reason note;
    if (const auto how = report_->exit()) {
        note.code = how->code();
        note.is_failure = how->signal() || how->status().value_or(0) != 0;
        note.is_gone = true;
    }
    note.details = report_->last_stderr_lines();
    return note;
}

std::size_t child_core::read_left(asio::mutable_buffer target, error_code& failed)
{
    const std::lock_guard lock(mutex_);
    if (is_closed_) {
        failed = asio::error::operation_aborted;
        return 0;
    }
    failed = {};
    if (target.size() == 0)
        return 0;
    const std::size_t count = output_.read_some(asio::buffer(target, left_), failed);
    if (count == 0)
        failed = asio::error::eof; // nothing is left, or somebody else has been quicker
    left_ -= count;
    return count;
}

std::size_t child_core::write_some(asio::const_buffer source, error_code& failed)
{
    const std::lock_guard lock(mutex_);
    failed = {};
    if (!input_.is_open())
        failed = asio::error::operation_aborted;
    else if (has_exited_)
        failed = asio::error::broken_pipe;
    if (failed)
        return 0;
    if (!is_socket_) {
        const detail::sigpipe_block quiet;
        return input_.write_some(source, failed);
    }
    const ssize_t count = ::send(input_.native_handle(), source.data(), source.size(), MSG_NOSIGNAL);
    if (count >= 0)
        return static_cast<std::size_t>(count);
    failed.assign(errno, boost::system::system_category());
    return 0;
}

bool child_core::begin_end()
{
    const std::lock_guard lock(mutex_);
    return !std::exchange(is_ending_, true);
}

void child_core::leave_end()
{
    const std::lock_guard lock(mutex_);
    is_ending_ = false;
}

void child_core::close_send()
{
    const std::lock_guard lock(mutex_);
    if (!input_.is_open())
        return;
    if (is_socket_)
        ::shutdown(input_.native_handle(), SHUT_WR);
    error_code ignored;
    input_.close(ignored);
    send_closed_ = clock::now();
}

child_core::clock::duration child_core::exit_wait_left() const
{
    const std::lock_guard lock(mutex_);
    const clock::duration gone = send_closed_ ? clock::now() - *send_closed_ : clock::duration::zero();
    return time_left(options_.exit_wait, gone);
}

void child_core::signal(int number)
{
    const std::lock_guard lock(mutex_);
    process_.signal(number);
}

void child_core::close()
{
    const std::lock_guard lock(mutex_);
    if (std::exchange(is_closed_, true))
        return;
    error_code ignored;
    input_.close(ignored);
    output_.close(ignored);
    if (errors_)
        errors_->close();
    is_gone_ = process_.end_now();
    if (is_gone_)
        settle(*process_.try_reap()); // else it is reaped when its end is seen
    eof_timer_.cancel();
    end_timer_.cancel();
}

} // namespace partyline
