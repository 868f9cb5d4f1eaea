#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace call {

// In all of this `-` is standard input.

/// As messages for the user name it.
std::string input_name(const std::string& file);

/// A descriptor to read it by, the caller's. Its flags stay as they are: others share them. Throws `std::system_error`
/// that names a file which can't be opened, or is a directory.
int open_input(const std::string& file);

/// Throws `std::system_error` with `errno`, that names the file.
[[noreturn]] void refuse_input(const std::string& file);

/// The text without the byte order mark in front that editors may write, and that is no part of JSON.
std::string_view without_mark(std::string_view text) noexcept;

/// Reads whole files for the params of one call.
class input_files {
public:
    explicit input_files(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    /// Throws `std::exception` with a text for the user: when the file can't be read or is longer than `max_bytes`, and
    /// when it is standard input for the second time, where there is nothing any more.
    std::string read(const std::string& file);

private:
    std::size_t max_bytes_;
    bool has_read_standard_input_ = false;
};

} // namespace call
