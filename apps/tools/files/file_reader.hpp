#pragma once

#include "root_folder.hpp"
#include "tools/stop_check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tools {

/// Reads a file from its beginning to its end, in pieces.
class file_reader {
public:
    /// `shown` names the file in errors. Throws tool_error when it is longer than `max_bytes`.
    file_reader(opened_file from, std::string shown, std::uint64_t max_bytes, stop_check is_stopped = {});

    /// Reads up to `room` bytes, less only at the end of the file. Throws tool_error when that fails, or more than
    /// `max_bytes` have been read (others may be writing it); operation_aborted when it is to stop.
    std::size_t read(char* to, std::size_t room);

    const std::string& shown() const noexcept { return shown_; }
    /// How long it was when it was opened.
    std::uint64_t size() const noexcept { return from_.size; }
    std::uint64_t bytes_read() const noexcept { return bytes_read_; }

private:
    std::size_t read_some(char* to, std::size_t room);
    void check_size(std::uint64_t size) const;

    opened_file from_;
    std::string shown_;
    std::uint64_t max_bytes_;
    stop_check is_stopped_;
    std::uint64_t bytes_read_ = 0;
};

/// Whether a file that begins like this is no text: it has a zero byte.
bool looks_binary(const char* begin, std::size_t size) noexcept;

} // namespace tools
