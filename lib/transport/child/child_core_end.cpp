// How the end of a child process is seen, and told.

#include "transport/child/child_core.hpp"

#include <boost/asio/bind_executor.hpp>

#include <csignal>

#include <sys/ioctl.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

// Where the system does not tell of an end, it is looked for: that of a group never is told.
constexpr auto look_interval = std::chrono::milliseconds(10);

} // namespace

// With the mutex held.
void child_core::watch()
{
    if (!end_.is_open())
        return look_later();
    end_.async_wait(end_.wait_read,
                    asio::bind_executor(strand_, [self = shared_from_this()](error_code) { self->on_watch(); }));
}

// With the mutex held.
void child_core::look_later()
{
    look_timer_.expires_after(look_interval);
    look_timer_.async_wait(asio::bind_executor(strand_, [self = shared_from_this()](error_code) { self->on_watch(); }));
}

void child_core::on_watch()
{
    {
        const std::lock_guard lock(mutex_);
        if (has_exited_)
            return;
        if (!process_.has_ended())
            return look_later();
    }
    if (!errors_)
        return announce();
    // Its last words first: whoever waits for its end is told them.
    errors_->finish([self = weak_from_this()] {
        if (const auto core = self.lock())
            core->announce();
    });
}

void child_core::announce()
{
    const std::lock_guard lock(mutex_);
    if (has_exited_)
        return;
    settle(*process_.try_reap());
    int unread = 0;
    if (output_.is_open() && ::ioctl(output_.native_handle(), FIONREAD, &unread) == 0)
        left_ = static_cast<std::size_t>(unread);
    error_code ignored;
    input_.cancel(ignored);
    output_.cancel(ignored);
    eof_timer_.cancel();
    orphans_until_ = due_time(options_.term_wait);
    watch_orphans();
}

// With the mutex held.
void child_core::settle(child_exit how)
{
    report_->set_exit(how);
    has_exited_ = true;
    error_code ignored;
    end_.close(ignored);
    look_timer_.cancel();
}

// With the mutex held. They have been sent SIGTERM, or SIGKILL.
void child_core::watch_orphans()
{
    if (clock::now() >= orphans_until_)
        process_.signal(SIGKILL);
    is_gone_ = !process_.has_orphans();
    if (is_gone_) {
        end_timer_.cancel();
        return;
    }
    look_timer_.expires_after(look_interval);
    look_timer_.async_wait(
        asio::bind_executor(strand_, [self = shared_from_this()](error_code) { self->on_watch_orphans(); }));
}

void child_core::on_watch_orphans()
{
    const std::lock_guard lock(mutex_);
    if (!is_gone_)
        watch_orphans();
}

} // namespace partyline
