#include "session/serve/worker_pool.hpp"

#include "session/serve/request_host.hpp"

namespace partyline {

worker& worker_pool::take()
{
    if (!idle_.empty()) {
        worker& last = *idle_.back();
        idle_.pop_back();
        return last;
    }
    workers_.emplace_front(owner_);
    workers_.front().self = workers_.begin();
    idle_.reserve(workers_.size()); // to go back there must not fail
    return workers_.front();
}

bool worker_pool::recycle(worker& free) noexcept
{
    // A new one costs about as much as an echo. One read of short requests can start about two hundred.
    constexpr std::size_t max_idle = 1024;
    // Nor does it stay when it is the last to hold the session, which could not end well in here.
    if (idle_.size() >= max_idle || free.held.use_count() == 1)
        return false;
    free.held.reset();
    idle_.push_back(&free);
    return true;
}

} // namespace partyline
