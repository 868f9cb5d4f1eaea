#pragma once

#include "session/serve/worker.hpp"

#include <list>
#include <vector>

namespace partyline {

/// The workers of one session.
///
/// Flow: `take()` one that is free; it comes back by `put_back()`, when it found nothing to do, or by `recycle()`, when
/// its handler had suspended. `retire()` one that is not to serve again; `destroy_ended()` when none of them is on the
/// stack.
class worker_pool {
public:
    explicit worker_pool(request_host& owner) noexcept : owner_(owner) {}

    worker& take();
    void put_back(worker& free) noexcept { idle_.push_back(&free); } // it has had its place there
    /// False: enough are idle, or the worker is the last owner of the session.
    bool recycle(worker& free) noexcept;
    void retire(worker& ended) noexcept { ended_.splice(ended_.begin(), workers_, ended.self); }
    void destroy_ended() noexcept { ended_.clear(); }
    /// The session has ended.
    void let_go() noexcept
    {
        for (worker& each : workers_)
            each.let_go();
    }

private:
    request_host& owner_;
    std::list<worker> workers_;
    std::list<worker> ended_;
    std::vector<worker*> idle_;
};

} // namespace partyline
