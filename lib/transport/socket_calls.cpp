#include "transport/socket_calls.hpp"

#include <boost/asio/error.hpp>

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/socket.h>

namespace asio = boost::asio;

namespace partyline {

void set_close_on_exec(int descriptor) noexcept
{
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

error_code connect_now(asio::local::stream_protocol::socket& socket, const asio::local::stream_protocol::endpoint& to)
{
    error_code failed;
    socket.non_blocking(true, failed);
    if (!failed && ::connect(socket.native_handle(), to.data(), static_cast<socklen_t>(to.size())) != 0)
        failed.assign(errno, boost::system::system_category());
    return failed;
}

asio::local::stream_protocol::endpoint unix_endpoint(const std::string& path, error_code& failed)
{
    failed.clear();
    if (path.empty()) {
        failed = asio::error::invalid_argument; // the system would make up an address
        return {};
    }
    try {
        return asio::local::stream_protocol::endpoint(path);
    } catch (const boost::system::system_error& e) {
        failed.assign(e.code().value(), e.code().category());
        return {};
    }
}

} // namespace partyline
