#include "input_file.hpp"

#include <partyline/protocol/printable.hpp>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace call {
namespace {

class open_file {
public:
    explicit open_file(const std::string& file) : fd_(open_input(file)) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() { ::close(fd_); }

    // 0 at the end, negative with `errno`. Waits also where somebody has set O_NONBLOCK.
    ssize_t read_some(char* to, std::size_t size) const
    {
        for (;;) {
            const ssize_t count = ::read(fd_, to, size);
            if (count >= 0 || (errno != EINTR && errno != EAGAIN))
                return count;
            pollfd waited{fd_, POLLIN, 0};
            ::poll(&waited, 1, -1);
        }
    }

private:
    int fd_;
};

// What reading would fail with, or 0. A server may have been started by then.
int why_unreadable(int fd)
{
    struct stat found;
    if (::fstat(fd, &found) == 0 && S_ISDIR(found.st_mode))
        return EISDIR;
    return (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY ? EBADF : 0;
}

} // namespace

std::string input_name(const std::string& file)
{
    return file == "-" ? "standard input" : file;
}

int open_input(const std::string& file)
{
    const int fd = file == "-" ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        refuse_input(file);
    if (const int problem = why_unreadable(fd)) {
        ::close(fd);
        errno = problem;
        refuse_input(file);
    }
    return fd;
}

void refuse_input(const std::string& file)
{
    throw std::system_error(errno, std::generic_category(), "cannot read " + input_name(file));
}

std::string_view without_mark(std::string_view text) noexcept
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

std::string input_files::read(const std::string& file)
{
    if (file == "-" && std::exchange(has_read_standard_input_, true))
        throw std::invalid_argument("standard input can be read only once");
    const open_file from(file);
    std::string text;
    std::array<char, std::size_t(64) << 10> chunk;
    while (const ssize_t count = from.read_some(chunk.data(), chunk.size())) {
        if (count < 0)
            refuse_input(file);
        text.append(chunk.data(), static_cast<std::size_t>(count));
        if (text.size() > max_bytes_)
            throw std::invalid_argument(input_name(file) + " is longer than " + std::to_string(max_bytes_) +
                                        " bytes, which --max-message-bytes allows");
    }
    return text;
}

} // namespace call
