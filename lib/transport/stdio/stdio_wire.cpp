#include "transport/stdio/stdio_wire.hpp"

#include <boost/system/system_error.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace partyline {
namespace {

// Gives a standard descriptor that is closed something harmless, before anything else gets its number (an io_context's
// epoll would). True when it was closed.
bool fill(int standard)
{
    if (::fcntl(standard, F_GETFD) >= 0 || errno != EBADF)
        return false;
    // The lowest free number: the ones below have been filled already.
    if (::open("/dev/null", O_RDWR) < 0)
        throw boost::system::system_error(errno, boost::system::system_category(), "/dev/null");
    return true;
}

void redirect_input_to_null()
{
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null < 0)
        throw boost::system::system_error(errno, boost::system::system_category(), "/dev/null");
    ::dup2(null, STDIN_FILENO);
    ::close(null);
}

std::atomic<bool> is_taken = false;

} // namespace

stdio_wire::only_one::only_one()
{
    if (is_taken.exchange(true))
        throw std::logic_error("standard input and output are the stream of another session");
}

stdio_wire::only_one::~only_one()
{
    is_taken = false;
}

stdio_wire::stdio_wire(bool guard) : only_one_(std::in_place), is_guarded_(guard)
{
    fill(STDIN_FILENO);
    is_output_missing_ = fill(STDOUT_FILENO);
    fill(STDERR_FILENO);
    input_.emplace(STDIN_FILENO);
    output_.emplace(STDOUT_FILENO);
    if (!is_guarded_)
        return;
    redirect_input_to_null();
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

stdio_wire::~stdio_wire()
{
    restore();
}

void stdio_wire::restore() noexcept
{
    if (is_restored_)
        return;
    is_restored_ = true;
    std::cout.flush();
    std::fflush(stdout);
    // Input last: where both share one description, its flags were read first.
    if (is_guarded_) {
        output_->restore();
        input_->restore();
    } else
        restore_flags();
    only_one_.reset();
}

void stdio_wire::restore_flags() const noexcept
{
    output_->restore_flags();
    input_->restore_flags();
}

} // namespace partyline
