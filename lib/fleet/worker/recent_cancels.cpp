#include "fleet/worker/recent_cancels.hpp"

namespace partyline::fleet {

void recent_cancels::add(const std::string& id)
{
    if (!ids_.insert(id).second)
        return;
    order_.push_back(id);
    if (order_.size() <= max_ids)
        return;
    ids_.erase(order_.front());
    order_.pop_front();
}

} // namespace partyline::fleet
