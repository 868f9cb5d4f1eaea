#pragma once

#include "file_reader.hpp"

#include <cstdint>
#include <string>

namespace tools {

struct file_hash {
    std::string sha256; ///< in hexadecimal digits
    std::uint64_t bytes = 0;
};

/// The SHA-256 of a file, which is read in pieces. Throws what reading throws, and tool_error when libcrypto refuses.
file_hash hash_file(file_reader& file);

} // namespace tools
