#include "terminal.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

namespace asio = boost::asio;

namespace call {
namespace {

// -1 where there is none.
int open_terminal()
{
    if (::isatty(STDIN_FILENO) && (::fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) == O_RDWR)
        return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    return ::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
}

} // namespace

std::unique_ptr<terminal> terminal::open(const asio::any_io_executor& executor)
{
    const int fd = open_terminal();
    return fd < 0 ? nullptr : std::unique_ptr<terminal>(new terminal(executor, fd));
}

void terminal::forget_input()
{
    typed_.clear();
    static_cast<void>(::tcflush(file_.native_handle(), TCIFLUSH));
}

// What can't be shown is not waited for: the user sees that something is wrong.
void terminal::write(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(file_.native_handle(), text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            pollfd waited{file_.native_handle(), POLLOUT, 0};
            ::poll(&waited, 1, -1);
        } else if (errno != EINTR) {
            return;
        }
    }
}

partyline::task<std::optional<std::string>> terminal::read_line()
{
    for (;;) {
        if (const std::size_t end = typed_.find('\n'); end != typed_.npos) {
            std::string line = typed_.substr(0, end);
            typed_.erase(0, end + 1);
            co_return line;
        }
        const auto [failed] =
            co_await file_.async_wait(asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::deferred));
        if (failed == asio::error::operation_aborted)
            throw boost::system::system_error(failed);
        if (!read_some())
            co_return std::nullopt;
    }
}

// False at the end. A terminal gives a line at a time, of 4 KiB at most.
bool terminal::read_some()
{
    std::array<char, 4096> chunk;
    const ssize_t count = ::read(file_.native_handle(), chunk.data(), chunk.size());
    if (count < 0)
        return errno == EINTR || errno == EAGAIN;
    typed_.append(chunk.data(), static_cast<std::size_t>(count));
    return count > 0;
}

} // namespace call
