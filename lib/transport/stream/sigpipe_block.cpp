#include <partyline/transport/detail/sigpipe_block.hpp>

#include <cerrno>
#include <ctime>

namespace partyline::detail {
namespace {

sigset_t only_sigpipe() noexcept
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

bool is_pending() noexcept
{
    sigset_t pending;
    sigemptyset(&pending);
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

// Does not wait where nobody else takes it meanwhile: it is pending.
void take_sigpipe() noexcept
{
    const sigset_t set = only_sigpipe();
#ifdef __APPLE__ // which has no sigtimedwait
    int taken;
    sigwait(&set, &taken);
#else
    const timespec at_once{0, 0};
    while (sigtimedwait(&set, nullptr, &at_once) < 0 && errno == EINTR) {
    }
#endif
}

} // namespace

sigpipe_block::sigpipe_block() noexcept : was_pending_(is_pending())
{
    const sigset_t set = only_sigpipe();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
}

sigpipe_block::~sigpipe_block()
{
    const int saved = errno;
    // Takes away what the write has raised, but nothing that somebody else was waiting to get.
    if (!was_pending_ && is_pending())
        take_sigpipe();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = saved;
}

} // namespace partyline::detail
