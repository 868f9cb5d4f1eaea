#pragma once

#include <cstddef>
#include <string>

namespace partyline::access {

/// The text of a file that decides who is admitted.
struct trusted_text {
    std::string text = {};
    /// Nobody else can read it.
    bool is_private = false;
};

/// Reads a file that decides who is admitted: a regular one, reached without a link in the last place, of the effective
/// user or root, which nobody else can write to, of at most `max_bytes`. Throws `file_error`.
trusted_text read_trusted_file(const std::string& path, std::size_t max_bytes);

} // namespace partyline::access
