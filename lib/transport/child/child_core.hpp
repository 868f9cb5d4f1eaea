#pragma once

#include "session/due_time.hpp"
#include "transport/child/child_start.hpp"
#include "transport/child/stderr_reader.hpp"

#include <partyline/session/detail/end_reason.hpp>
#include <partyline/transport/child_exit.hpp>
#include <partyline/transport/child_options.hpp>
#include <partyline/transport/child_report.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace partyline {

/// A running child process and what we hold of it; what `child_process` is a handle of. Looks out for its end, and
/// reads its standard error, in the background, on a strand.
///
/// Thread safety: safe. A mutex guards the I/O objects, each of which is started, cancelled and closed from several
/// sides.
class child_core : public std::enable_shared_from_this<child_core> {
public:
    using clock = std::chrono::steady_clock;

    child_core(boost::asio::any_io_executor executor, started_child child, child_options options);

    /// Begins the work in the background. Once.
    void start();

    const boost::asio::any_io_executor& get_executor() const noexcept { return executor_; }
    const std::shared_ptr<child_report>& report() const noexcept { return report_; }
    const child_options& options() const noexcept { return options_; }

    /// Whether it has ended and everything about that is known.
    bool has_exited() const;
    /// Whether nothing of its group is left either.
    bool is_gone() const;
    bool is_closed() const;
    detail::end_reason why_ended() const;

    /// Calls `handler(error_code, std::size_t)` with what was read. After the child's end: `operation_aborted`, see
    /// `read_left`.
    template <class Handler>
    void read(boost::asio::mutable_buffer target, Handler&& handler)
    {
        const std::lock_guard lock(mutex_);
        if (is_closed_ || has_exited_)
            return post(std::forward<Handler>(handler), boost::asio::error::operation_aborted, std::size_t(0));
        output_.async_read_some(target, std::forward<Handler>(handler));
    }
    /// What the child has left behind, and then `eof`, whoever else may hold the pipe.
    std::size_t read_left(boost::asio::mutable_buffer target, error_code& failed);

    /// Calls `handler(error_code)` when it is worth trying to write; `operation_aborted`: or a cancel.
    template <class Handler>
    void wait_writable(Handler&& handler)
    {
        const std::lock_guard lock(mutex_);
        if (!input_.is_open() || has_exited_)
            return post(std::forward<Handler>(handler), error_code());
        input_.async_wait(input_.wait_write, std::forward<Handler>(handler));
    }
    /// Never waits, and never raises SIGPIPE.
    std::size_t write_some(boost::asio::const_buffer source, error_code& failed);

    /// Calls `handler(error_code)` when the child has ended, this is closed, or `limit` is over. For one reader, whose
    /// input has ended.
    template <class Handler>
    void wait_exit_at_eof(clock::duration limit, Handler&& handler)
    {
        wait(has_exited_, eof_timer_, limit, std::forward<Handler>(handler));
    }
    /// The same when nothing of its group is left. For the one who ends the child: see `begin_end`.
    template <class Handler>
    void wait_gone(clock::duration limit, Handler&& handler)
    {
        wait(is_gone_, end_timer_, limit, std::forward<Handler>(handler));
    }

    /// False: somebody else is at it.
    bool begin_end();
    void leave_end();

    void close_send();
    /// How long `child_options::exit_wait` has still to go.
    clock::duration exit_wait_left() const;
    void signal(int number);
    void close();

private:
    template <class Handler>
    void wait(const bool& is_over, boost::asio::steady_timer& timer, clock::duration limit, Handler&& handler)
    {
        const std::lock_guard lock(mutex_);
        if (is_closed_ || is_over)
            return post(std::forward<Handler>(handler), error_code());
        timer.expires_at(due_time(limit));
        timer.async_wait(std::forward<Handler>(handler));
    }
    template <class Handler, class... Results>
    void post(Handler&& handler, Results... results)
    {
        boost::asio::post(executor_, boost::asio::append(std::forward<Handler>(handler), results...));
    }

    void watch();
    void look_later();
    void on_watch();
    void announce();
    void settle(child_exit how);
    void watch_orphans();
    void on_watch_orphans();

    boost::asio::any_io_executor executor_;
    boost::asio::any_io_executor strand_;
    child_options options_;
    bool is_socket_;
    std::shared_ptr<child_report> report_;
    std::shared_ptr<stderr_reader> errors_;

    mutable std::mutex mutex_; // for all that follows
    process_group process_;
    boost::asio::posix::stream_descriptor input_;
    boost::asio::posix::stream_descriptor output_;
    boost::asio::posix::stream_descriptor end_;
    boost::asio::steady_timer look_timer_;
    boost::asio::steady_timer eof_timer_;
    boost::asio::steady_timer end_timer_;
    std::optional<clock::time_point> send_closed_;
    clock::time_point orphans_until_;
    std::size_t left_ = 0; // that was in the pipe when it ended
    bool has_exited_ = false;
    bool is_gone_ = false;
    bool is_closed_ = false;
    bool is_ending_ = false;
};

} // namespace partyline
