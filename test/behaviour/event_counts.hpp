#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <list>
#include <map>
#include <string>

namespace partyline::test {

/// What has happened in the handlers of one side, for others to wait for.
/// Thread safety: none; everything is on one thread.
class event_counts {
public:
    void add(const std::string& what);
    int times(const std::string& what) const;

    /// Waits until it has happened so many times. Ends with `operation_aborted` when the coroutine is cancelled.
    boost::asio::awaitable<void> wait_for(std::string what, int times);

private:
    std::map<std::string, int> times_;
    std::list<boost::asio::steady_timer> waiting_; // they never expire: what happens cancels them
};

} // namespace partyline::test
