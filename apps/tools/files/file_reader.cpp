#include "file_reader.hpp"

#include "tools/tool_error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace tools {

file_reader::file_reader(opened_file from, std::string shown, std::uint64_t max_bytes, stop_check is_stopped)
    : from_(std::move(from)), shown_(std::move(shown)), max_bytes_(max_bytes), is_stopped_(std::move(is_stopped))
{
    check_size(from_.size);
}

std::size_t file_reader::read(char* to, std::size_t room)
{
    stop_if(is_stopped_);
    std::size_t filled = 0;
    while (filled < room) {
        const std::size_t count = read_some(to + filled, room - filled);
        if (count == 0)
            break;
        filled += count;
    }
    bytes_read_ += filled;
    check_size(bytes_read_);
    return filled;
}

std::size_t file_reader::read_some(char* to, std::size_t room)
{
    ssize_t count;
    do
        count = ::read(from_.file.get(), to, room);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        throw_failure("cannot read " + in_quotes(shown_), errno);
    return static_cast<std::size_t>(count);
}

void file_reader::check_size(std::uint64_t size) const
{
    if (size > max_bytes_)
        throw tool_error(in_quotes(shown_) + " is longer than " + std::to_string(max_bytes_) +
                         " bytes, which --max-file-bytes allows");
}

bool looks_binary(const char* begin, std::size_t size) noexcept
{
    constexpr std::size_t enough = 8192;
    return size > 0 && std::memchr(begin, 0, std::min(size, enough)) != nullptr;
}

} // namespace tools
