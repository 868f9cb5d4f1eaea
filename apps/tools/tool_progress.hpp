#pragma once

#include <optional>
#include <string>

namespace tools {

/// What a tool tells of its work, and asks of whoever wants it. Called from where the tool runs, one call at a time.
class tool_progress {
public:
    virtual ~tool_progress() = default;

    /// `done` grows from call to call; `total` is unset where nobody knows.
    virtual void report(double done, std::optional<double> total, std::string message) = 0;
    /// Whether the work is wanted no more: a tool that blocks asks, and throws operation_aborted. (Those that are tasks
    /// are cancelled as such.)
    virtual bool cancelled() = 0;
};

} // namespace tools
