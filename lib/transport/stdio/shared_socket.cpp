#include "transport/stdio/shared_socket.hpp"

#include "transport/errno_code.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#endif

namespace asio = boost::asio;

namespace partyline {
namespace {

int checked(int result)
{
    if (result < 0)
        throw boost::system::system_error(errno_code(), "standard descriptor");
    return result;
}

#ifdef __linux__
std::uint32_t events_of(shared_socket::event awaited)
{
    switch (awaited) {
    case shared_socket::event::readable: return EPOLLIN;
    case shared_socket::event::writable: return EPOLLOUT;
    default: return 0; // EPOLLERR and EPOLLHUP, which need not be asked for
    }
}

owned_descriptor waiter_for(int socket, shared_socket::event awaited)
{
    owned_descriptor waiter(checked(::epoll_create1(EPOLL_CLOEXEC)));
    epoll_event wanted{};
    wanted.events = events_of(awaited);
    checked(::epoll_ctl(waiter.get(), EPOLL_CTL_ADD, socket, &wanted));
    return waiter;
}
#else
owned_descriptor waiter_for(int socket, shared_socket::event)
{
    return owned_descriptor(checked(::fcntl(socket, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)));
}
#endif

} // namespace

shared_socket::shared_socket(asio::any_io_executor executor, int descriptor, event awaited)
    : socket_(descriptor), ready_(std::move(executor), waiter_for(descriptor, awaited).release())
{
}

std::size_t shared_socket::try_read(asio::mutable_buffer target, error_code& failed)
{
    for (;;) {
        const ssize_t count = ::recv(socket_.get(), target.data(), target.size(), MSG_DONTWAIT);
        if (count > 0)
            return static_cast<std::size_t>(count);
        if (count < 0 && errno == EINTR)
            continue;
        failed = count == 0 ? error_code(asio::error::eof) : errno_code();
        return 0;
    }
}

std::size_t shared_socket::try_write(asio::const_buffer source, error_code& failed)
{
    for (;;) {
        const ssize_t count = ::send(socket_.get(), source.data(), source.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count >= 0)
            return static_cast<std::size_t>(count);
        if (errno == EINTR)
            continue;
        failed = errno_code();
        return 0;
    }
}

void shared_socket::start_write(asio::const_buffer source, std::shared_ptr<detail::byte_stream::user> told)
{
    async_wait([this, source, told = std::move(told)](error_code failed) mutable {
        const std::size_t count = failed ? 0 : try_write(source, failed);
        if (failed == asio::error::would_block)
            start_write(source, std::move(told));
        else
            told->on_written(failed, count);
    });
}

void shared_socket::close()
{
    error_code ignored;
    ready_.close(ignored);
    socket_ = owned_descriptor();
}

} // namespace partyline
