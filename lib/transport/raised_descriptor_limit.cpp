#include "transport/raised_descriptor_limit.hpp"

#include <algorithm>
#include <atomic>

#include <sys/resource.h>

namespace partyline {
namespace {

constexpr rlim_t not_raised = RLIM_INFINITY;

std::atomic<rlim_t> soft_limit_before = not_raised;

bool is_as_we_raise(const rlimit& limit)
{
    return limit.rlim_cur == limit.rlim_max - 1;
}

} // namespace

raised_descriptor_limit::raised_descriptor_limit() noexcept
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max || is_as_we_raise(limit))
        return;
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max - 1;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) // the hard limit may be above what the kernel allows now (fs.nr_open)
        return;
    soft_limit_before = before;
    is_raised_ = true;
}

raised_descriptor_limit::~raised_descriptor_limit()
{
    if (!is_raised_)
        return;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = std::min<rlim_t>(soft_limit_before.exchange(not_raised), limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

#ifdef __linux__
void raised_descriptor_limit::restore_in(pid_t child) noexcept
{
    const rlim_t before = soft_limit_before;
    rlimit limit{};
    if (before == not_raised || ::prlimit(child, RLIMIT_NOFILE, nullptr, &limit) != 0)
        return;
    if (!is_as_we_raise(limit)) // it has chosen another one by itself
        return;
    const rlimit restored{std::min<rlim_t>(before, limit.rlim_max), limit.rlim_max};
    if (::prlimit(child, RLIMIT_NOFILE, &restored, &limit) != 0) // refused for a program with another user's rights
        return;
    if (!is_as_we_raise(limit)) // it has chosen it between the two calls
        ::prlimit(child, RLIMIT_NOFILE, &limit, nullptr);
}
#else
void raised_descriptor_limit::restore_in(pid_t) noexcept {} // no process can change the limits of another
#endif

} // namespace partyline
