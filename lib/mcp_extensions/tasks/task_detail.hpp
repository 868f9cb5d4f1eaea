#pragma once

#include <boost/json/object.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

enum class task_status : std::uint8_t { working, input_required, completed, failed, cancelled };

std::string_view to_string(task_status status) noexcept;

/// JSON text that is shared: whoever reads it needs no copy, and no lock.
using shared_text = std::shared_ptr<const std::string>;

/// What `tasks/get` tells of a task. It is taken from the task under the lock, without a copy of long texts; `text()`
/// copies them without the lock.
struct task_detail {
    struct question {
        std::string key;
        shared_text request;
    };

    boost::json::object members; // that a task has in each status
    task_status status;
    std::vector<question> questions; // of `input_required`
    shared_text outcome;             // the result or the error; null: an internal error

    /// The result of `tasks/get`.
    std::string text() const;
};

} // namespace partyline::mcp
