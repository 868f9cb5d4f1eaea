#pragma once

#include "mcp_extensions/tasks/task_record.hpp"

#include <partyline/session/access_view.hpp>
#include <partyline/session/request_context.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::mcp {

class tasks_core;

/// What the peer of a task may call: what that of its request may. The proof of a signed call counts once, and it has
/// been checked with the request: for the call of the task's tool, and for nothing else, none is asked for again.
class task_access final : public access_view {
public:
    /// `of`: the view of the request; null: everything. `tool`: that the task calls. `core`: whose task it is.
    task_access(std::shared_ptr<const access_view> of, std::string tool, const tasks_core* core) noexcept
        : of_(std::move(of)), tool_(std::move(tool)), core_(core)
    {
    }

    access_verdict judge(std::string_view method, std::string_view key) const noexcept override
    {
        const access_verdict said = of_ ? of_->judge(method, key) : access_verdict();
        const bool is_proven =
            said.is == access_answer::needs_proof && method == "tools/call" && std::string_view(tool_) == key;
        return is_proven ? access_verdict() : said;
    }
    const tasks_core* core() const noexcept { return core_; }

private:
    const std::shared_ptr<const access_view> of_;
    const std::string tool_;
    const tasks_core* const core_; // to be compared only
};

/// Whether a request is the call of one of its tasks, and not a client's.
inline bool is_task_of(const tasks_core* core, const request_context& rpc)
{
    const std::shared_ptr<const access_view> view = rpc.access();
    const auto* const found = dynamic_cast<const task_access*>(view.get());
    return found && found->core() == core;
}

/// Whose the tasks of a request are.
inline task_owner owner_of(const request_context& rpc)
{
    return {rpc.peer().source, rpc.peer().principal};
}

/// What the client of a request is answered that asks for the outcome of a task.
inline access_answer judge_poll(const request_context& rpc)
{
    const std::shared_ptr<const access_view> view = rpc.access();
    return view ? view->judge("tasks/get", {}).is : access_answer::allowed;
}

/// Whether the client may ask for the outcome of a task. One that may not has not been told of the extension.
inline bool may_poll(const request_context& rpc)
{
    const access_answer said = judge_poll(rpc);
    return said == access_answer::allowed || said == access_answer::needs_proof;
}

} // namespace partyline::mcp
