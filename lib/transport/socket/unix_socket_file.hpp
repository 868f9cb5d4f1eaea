#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <string>

#include <sys/types.h>

namespace partyline {

/// The file that binding a Unix socket has made, removed at the end if it is still the same.
class PARTYLINE_EXPORT unix_socket_file {
public:
    /// Sets its permissions. Call it between bind and listen, while nobody can connect. Throws `system_error`.
    unix_socket_file(std::string path, ::mode_t mode);
    /// Before the socket is closed: until then the system gives the file's number to no other.
    ~unix_socket_file();
    unix_socket_file(const unix_socket_file&) = delete;
    unix_socket_file& operator=(const unix_socket_file&) = delete;

private:
    std::string path_;
    ::dev_t device_ = 0;
    ::ino_t number_ = 0;
};

/// Removes a socket's file that its server has left behind: nobody listens there any more. Anything else is left alone.
/// Fails with `address_in_use` when somebody may be listening, `file_exists` when it is no socket.
error_code remove_stale_socket(const std::string& path, const boost::asio::any_io_executor& executor);

} // namespace partyline
