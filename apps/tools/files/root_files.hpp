#pragma once

#include "root_set.hpp"
#include "tools/stop_check.hpp"
#include "tools/tool_limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// A file of a root, for whoever looks for one.
struct listed_file {
    std::string name; ///< as tools take it; valid UTF-8
    std::string uri;  ///< of its absolute path
};

/// Some of all files.
struct file_page {
    std::vector<listed_file> files;
    /// Where the next page begins, unless this is the last one.
    std::optional<std::uint64_t> next;
};

/// The files of all roots, from the one with the number `from`, which counts from 0. They come in the same order each
/// time, so that a page follows on another where nothing has changed meanwhile. It blocks: run it on a pool.
file_page list_files(const root_set& roots, const tool_limits& limits, std::uint64_t from, std::size_t most,
                     const stop_check& is_stopped = {});

/// All of a file, which is named by its URI.
struct whole_file {
    std::string bytes;
    bool is_text = false; ///< valid UTF-8, without zero bytes
};

/// Reads it. It blocks: run it on a pool. Throws tool_error when it is in no root, can't be read, or is longer than
/// `max_bytes`.
whole_file read_file(const root_set& roots, std::string_view uri, std::uint64_t max_bytes,
                     const stop_check& is_stopped = {});

} // namespace tools
