#include "mcp_extensions/tasks/task_access.hpp"
#include "mcp_extensions/tasks/tasks_core.hpp"

#include <functional>
#include <optional>

namespace partyline::mcp {

bool tasks_core::may_listen(const request_context& rpc, const std::string& id)
{
    if (judge_poll(rpc) != access_answer::allowed) // a proof is of one request
        return false;
    const task_owner by = owner_of(rpc);
    const std::lock_guard lock(mutex_);
    return store_.find(id, by, task_time::now()) != nullptr;
}

// Whoever is not told for want of memory, or since the result is nested deeper than a topic's params may be, asks.
void tasks_core::publish(const std::string& id) noexcept
{
    try {
        if (!topic_ || !topic_->has_listener(id))
            return;
        const std::lock_guard order(publishing_.at(std::hash<std::string>()(id) % publishing_.size()));
        std::optional<task_detail> known;
        {
            const std::lock_guard lock(mutex_);
            if (const task_record* const one = store_.find(id))
                known = one->detail(options_.poll_interval);
        }
        if (known)
            topic_->publish(id, json_text(known->text()));
    } catch (...) {
    }
}

} // namespace partyline::mcp
