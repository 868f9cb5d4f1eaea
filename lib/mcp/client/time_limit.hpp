#pragma once

#include <chrono>
#include <optional>

namespace partyline::mcp {

/// How long something may take in all; 0: for ever.
class time_limit {
public:
    using clock = std::chrono::steady_clock;

    explicit time_limit(clock::duration most)
    {
        if (most != clock::duration::zero() && most < std::chrono::hours(24 * 365))
            end_ = clock::now() + most;
    }

    /// As `call_options::timeout` has it: 0 for ever, and negative when it is over.
    clock::duration left() const
    {
        if (!end_)
            return clock::duration::zero();
        const clock::duration rest = *end_ - clock::now();
        return rest > clock::duration::zero() ? rest : clock::duration(-1);
    }

    clock::time_point end() const noexcept { return end_.value_or(clock::time_point::max()); }

private:
    std::optional<clock::time_point> end_;
};

} // namespace partyline::mcp
