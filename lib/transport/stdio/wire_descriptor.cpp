#include "transport/stdio/wire_descriptor.hpp"

#include "session/own_description.hpp"

#include <boost/system/system_error.hpp>

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace partyline {
namespace {

[[noreturn]] void throw_errno(const char* what)
{
    throw boost::system::system_error(errno, boost::system::system_category(), what);
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
    ::close(original_);
}

int wire_descriptor::open() const
{
    int own = open_own_description(original_);
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
