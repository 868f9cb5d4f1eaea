#include "transport/stream/process_watch.hpp"

#include "session/owned_descriptor.hpp"
#include "transport/errno_code.hpp"

#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

namespace partyline {
namespace {

owned_descriptor open_process(int id)
{
#ifdef SYS_pidfd_open
    return owned_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0))); // close-on-exec by itself
#else
    static_cast<void>(id);
    errno = ENOSYS;
    return {};
#endif
}

} // namespace

error_code process_watch::start(int id, std::function<void()> ended)
{
    owned_descriptor descriptor = open_process(id);
    if (!descriptor)
        return errno_code();
    end_.assign(descriptor.get());
    descriptor.release();
    end_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [ended = std::move(ended)](error_code failed) {
        if (!failed)
            ended();
    });
    return {};
}

} // namespace partyline
