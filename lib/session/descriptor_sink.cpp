#include "session/descriptor_sink.hpp"

#include "session/own_description.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partyline {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A signal that has a handler does not end the wait.
bool has_room(int descriptor, milliseconds longest) noexcept
{
    pollfd state{descriptor, POLLOUT, 0};
    const auto end = steady_clock::now() + longest;
    for (milliseconds left = longest;; left = std::chrono::ceil<milliseconds>(end - steady_clock::now())) {
        const int count = ::poll(&state, 1, static_cast<int>(std::max(left, milliseconds(0)).count()));
        if (count >= 0 || errno != EINTR)
            return count == 1 && (state.revents & POLLOUT) != 0;
    }
}

bool is_on_disk(const struct stat& status) noexcept
{
    return S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
}

} // namespace

descriptor_sink::descriptor_sink(std::string path) : path_(std::move(path))
{
    error_code failed;
    open_path(failed);
    if (failed)
        throw std::system_error(failed.value(), std::generic_category());
}

std::size_t descriptor_sink::try_write(std::string_view bytes, error_code& failed) noexcept
{
    look();
    if (how_ == way::none)
        return bytes.size();
    std::size_t written = 0;
    while (written != bytes.size()) {
        const ssize_t count = write_some(bytes.substr(written));
        if (count >= 0) {
            written += static_cast<std::size_t>(count);
        } else if (errno != EINTR) {
            if (errno != EAGAIN)
                failed = error_code(errno, boost::system::system_category());
            break;
        }
    }
    return written;
}

bool descriptor_sink::wait_for_room(milliseconds longest) noexcept
{
    return has_room(target(), longest);
}

bool descriptor_sink::may_wait() noexcept
{
    look();
    return is_on_disk_;
}

error_code descriptor_sink::reopen() noexcept
{
    error_code failed;
    if (!path_.empty())
        open_path(failed);
    return failed;
}

void descriptor_sink::open_path(error_code& failed) noexcept
{
    constexpr int for_all = 0666;
    constexpr int how = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    owned_descriptor opened(::open(path_.c_str(), how, for_all));
    struct stat status = {};
    if (!opened || ::fstat(opened.get(), &status) != 0) {
        failed = error_code(errno, boost::system::system_category());
        return;
    }
    is_on_disk_ = is_on_disk(status);
    own_ = std::move(opened);
}

ssize_t descriptor_sink::write_some(std::string_view bytes) const noexcept
{
    switch (how_) {
    case way::socket: return ::send(target(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case way::polled:
        if (has_room(target(), milliseconds(0))) // for as many bytes, where it is a pipe
            return ::write(target(), bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
        errno = EAGAIN;
        return -1;
    default: return ::write(target(), bytes.data(), bytes.size());
    }
}

void descriptor_sink::look()
{
    if (followed_ < 0)
        return;
    struct stat status = {};
    const bool is_open = ::fstat(followed_, &status) == 0;
    if (is_known_ && is_open && status.st_dev == device_ && status.st_ino == inode_)
        return;
    is_known_ = is_open;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    is_on_disk_ = is_open && is_on_disk(status);
    own_ = owned_descriptor(open_own_description(followed_));
    if (!is_open)
        how_ = way::none;
    else if (own_ || S_ISREG(status.st_mode))
        how_ = way::plain;
    else
        how_ = S_ISSOCK(status.st_mode) ? way::socket : way::polled;
}

} // namespace partyline
