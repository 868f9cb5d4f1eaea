#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <string>

namespace partyline::fleet {

/// The last cancels of calls that have not come here: a cancel overtakes an item that waits in the queue.
class recent_cancels {
public:
    void add(const std::string& id);
    bool has(const std::string& id) const { return ids_.contains(id); }

private:
    static constexpr std::size_t max_ids = 4'096; // half a MiB at most

    std::set<std::string> ids_;
    std::deque<std::string> order_;
};

} // namespace partyline::fleet
