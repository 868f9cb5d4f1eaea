#include "transport/socket/socket_calls.hpp"

#include "transport/errno_code.hpp"
#include "transport/platform/descriptors.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>
#include <cerrno>
#include <string>

#include <sys/socket.h>

namespace asio = boost::asio;

namespace partyline {

owned_descriptor make_socket(int family, int type, int protocol, error_code& failed) noexcept
{
    failed.clear();
    const int made = create_socket(family, type, protocol);
    if (made < 0)
        failed = errno_code();
    return owned_descriptor(made);
}

owned_descriptor accept_now(int listening, asio::generic::stream_protocol::endpoint& from, error_code& failed) noexcept
{
    failed.clear();
    for (;;) {
        auto size = static_cast<socklen_t>(from.capacity());
        const int accepted = accept_connection(listening, from.data(), &size);
        if (accepted >= 0) {
            from.resize(std::min<std::size_t>(size, from.capacity()));
            return owned_descriptor(accepted);
        }
        if (errno == EINTR || errno == ECONNABORTED) // the next one, then
            continue;
        failed = errno_code();
        return {};
    }
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
