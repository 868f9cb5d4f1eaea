#include "cores.hpp"

#include <cerrno>
#include <system_error>

#include <sched.h>

namespace bench {
namespace {

cpu_set_t own_cores()
{
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0)
        throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
    return set;
}

} // namespace

std::vector<int> usable_cores()
{
    const cpu_set_t set = own_cores();
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set))
            cores.push_back(core);
    }
    return cores;
}

on_cores::on_cores(const std::vector<int>& cores) : before_(own_cores())
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core : cores)
        CPU_SET(core, &set);
    if (::sched_setaffinity(0, sizeof set, &set) != 0)
        throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
}

// They were usable when it began; taken away since, there is nothing to go back to.
on_cores::~on_cores()
{
    ::sched_setaffinity(0, sizeof before_, &before_);
}

} // namespace bench
