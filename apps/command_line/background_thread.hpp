#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

namespace command_line {

/// A thread beside the one that serves, for what waits for other servers. Its end waits for that thread, so that
/// nothing is done or logged any more, but not for the thread of its own that a resolver has: in `getaddrinfo` that may
/// wait for a DNS server for long, and ~thread_pool would join it. So the pool lives until the process ends.
class background_thread {
public:
    background_thread();
    background_thread(const background_thread&) = delete;
    background_thread& operator=(const background_thread&) = delete;
    ~background_thread();

    boost::asio::any_io_executor get_executor() const { return pool_.get_executor(); }

private:
    boost::asio::thread_pool& pool_;
};

} // namespace command_line
