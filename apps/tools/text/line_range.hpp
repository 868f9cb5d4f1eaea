#pragma once

#include "tools/files/file_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tools {

/// Which lines of a file are wanted; the first one is 1.
struct line_range {
    std::uint64_t from = 1;
    std::optional<std::uint64_t> to = {}; ///< this one, too; unset: the last one
    std::size_t max_bytes = std::size_t(64) << 10;
};

/// What there is of them.
struct lines_read {
    /// Valid UTF-8, with the ends of lines.
    std::string text;
    /// The last one in `text`; the one before the first where that is empty.
    std::uint64_t last = 0;
    std::uint64_t lines_in_file = 0;
    /// Where to go on for what `max_bytes` had no room for.
    std::optional<std::uint64_t> next;
    /// A single line was longer than `max_bytes`: its rest is missing.
    bool is_line_cut = false;
};

/// Reads these lines, and counts all of them, in memory that grows with `max_bytes` alone. Throws tool_error for a
/// range that begins behind the end, or ends before it begins, and for a file that is no text; and what reading throws.
lines_read read_line_range(file_reader& file, const line_range& wanted);

} // namespace tools
