#pragma once

#include <partyline/session/access_view.hpp>
#include <partyline/session/request_context.hpp>

#include <memory>
#include <string_view>
#include <utility>

namespace partyline::mcp {

/// What the peer of a task may call: what that of its request may. The proof of a signed call counts once, and that was
/// with its request; here it is not asked for again.
class task_access final : public access_view {
public:
    /// Null: everything.
    explicit task_access(std::shared_ptr<const access_view> of) noexcept : of_(std::move(of)) {}

    access_verdict judge(std::string_view method, std::string_view key) const noexcept override
    {
        const access_verdict said = of_ ? of_->judge(method, key) : access_verdict();
        return said.is == access_answer::needs_proof ? access_verdict() : said;
    }

private:
    const std::shared_ptr<const access_view> of_;
};

/// Whether a request is the call of a task, and not a client's. No client can have such a view.
inline bool is_of_task(const request_context& rpc)
{
    return dynamic_cast<const task_access*>(rpc.access().get()) != nullptr;
}

} // namespace partyline::mcp
