#include "transport/stdio/wire_descriptor.hpp"

#include <boost/system/system_error.hpp>

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace partyline {
namespace {

[[noreturn]] void throw_errno(const char* what)
{
    throw boost::system::system_error(errno, boost::system::system_category(), what);
}

int open_again(int descriptor, int flags)
{
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    return ::open(path.c_str(), (flags & O_ACCMODE) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

} // namespace

wire_descriptor::wire_descriptor(int standard)
    : standard_(standard), original_(::fcntl(standard, F_DUPFD_CLOEXEC, 3)), flags_(::fcntl(standard, F_GETFL)),
      mode_(0)
{
    struct stat status;
    if (original_ < 0 || flags_ < 0 || ::fstat(standard, &status) != 0)
        throw_errno("standard descriptor");
    mode_ = status.st_mode;
}

wire_descriptor::~wire_descriptor()
{
    restore_flags();
    ::close(original_);
}

int wire_descriptor::open() const
{
    int own = -1;
    if (S_ISFIFO(mode_) || (S_ISCHR(mode_) && ::isatty(original_)))
        own = open_again(original_, flags_);
    if (own < 0)
        own = ::fcntl(original_, F_DUPFD_CLOEXEC, 3);
    if (own < 0)
        throw_errno("wire descriptor");
    return own;
}

void wire_descriptor::restore_flags() const noexcept
{
#ifdef __linux__
    if (is_socket())
        return; // whoever shares it may have changed them
#endif
    ::fcntl(original_, F_SETFL, flags_);
}

void wire_descriptor::restore() const noexcept
{
    restore_flags();
    ::dup2(original_, standard_);
}

} // namespace partyline
