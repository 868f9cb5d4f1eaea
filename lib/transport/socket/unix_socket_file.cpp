#include "transport/socket/unix_socket_file.hpp"

#include "transport/errno_code.hpp"
#include "transport/socket/socket_calls.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace asio = boost::asio;

namespace partyline {
namespace {

bool is_same_file(const struct stat& a, ::dev_t device, ::ino_t number)
{
    return a.st_dev == device && a.st_ino == number;
}

// Also when it can't be told: only a refusal says that the file is stale.
bool may_be_live(const std::string& path, const asio::any_io_executor& executor)
{
    error_code failed;
    const auto to = unix_endpoint(path, failed);
    asio::local::stream_protocol::socket probe(executor);
    if (!failed)
        open_socket(probe, to.protocol(), failed);
    return failed || connect_now(probe, to) != asio::error::connection_refused;
}

} // namespace

unix_socket_file::unix_socket_file(std::string path, ::mode_t mode) : path_(std::move(path))
{
    struct stat made;
    if (::lstat(path_.c_str(), &made) == 0 && ::chmod(path_.c_str(), mode) == 0) {
        device_ = made.st_dev;
        number_ = made.st_ino;
        return;
    }
    const error_code failed = errno_code();
    ::unlink(path_.c_str());
    throw boost::system::system_error(failed);
}

unix_socket_file::~unix_socket_file()
{
    struct stat now;
    if (::lstat(path_.c_str(), &now) == 0 && is_same_file(now, device_, number_))
        ::unlink(path_.c_str());
}

error_code remove_stale_socket(const std::string& path, const asio::any_io_executor& executor)
{
    struct stat found;
    if (::lstat(path.c_str(), &found) != 0)
        return {}; // it has gone meanwhile
    if (!S_ISSOCK(found.st_mode))
        return make_error_code(boost::system::errc::file_exists);
    if (may_be_live(path, executor))
        return asio::error::address_in_use;
    struct stat now; // another server may have replaced it meanwhile
    if (::lstat(path.c_str(), &now) == 0 && !is_same_file(now, found.st_dev, found.st_ino))
        return asio::error::address_in_use;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
        return errno_code();
    return {};
}

} // namespace partyline
