#pragma once

#include "tools/commands/command_runner.hpp"
#include "tools/files/file_walk.hpp"

#include <cstddef>
#include <cstdint>

namespace tools {

/// What the tools may cost.
struct tool_limits {
    /// A longer file is not read.
    std::uint64_t file_bytes = std::uint64_t(256) << 20;
    /// Text that one result has at most.
    std::size_t text_bytes = std::size_t(64) << 10;
    walk_limits walk = {};
    /// The time here is what a command gets unless it wants less.
    command_limits command = {};
};

} // namespace tools
