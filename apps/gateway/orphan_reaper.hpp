#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>

#include <sys/types.h>

namespace gateway {

/// Reaps processes that have lost their parents and become children of this one, as process 1 of a container has to:
/// else each of them stays a zombie. Children of our own are left to whoever has started them, who wants their exit
/// status.
///
/// Thread safety: everything on the executor.
class orphan_reaper {
public:
    /// `is_ours`: whether somebody here has started the process.
    orphan_reaper(const boost::asio::any_io_executor& executor, std::function<bool(pid_t)> is_ours);

    /// Reaps until `stop()`, and keeps `run()` running.
    void start();
    void stop();

private:
    void wait();
    void reap();
    void reap_later();

    std::function<bool(pid_t)> is_ours_;
    boost::asio::signal_set ended_;
    boost::asio::steady_timer again_;
};

} // namespace gateway
