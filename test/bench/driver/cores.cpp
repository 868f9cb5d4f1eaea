#include "cores.hpp"

#include <cerrno>
#include <system_error>

#include <sched.h>

namespace bench {
namespace {

void run_on(const std::vector<int>& cores)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core : cores)
        CPU_SET(core, &set);
    if (::sched_setaffinity(0, sizeof set, &set) != 0)
        throw std::system_error(errno, std::generic_category(), "sched_setaffinity");
}

} // namespace

std::vector<int> usable_cores()
{
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0)
        throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set))
            cores.push_back(core);
    }
    return cores;
}

on_cores::on_cores(const std::vector<int>& cores) : before_(usable_cores())
{
    run_on(cores);
}

on_cores::~on_cores()
{
    try {
        run_on(before_);
    } catch (const std::system_error&) {
        // They were usable when it began; taken away since, there is nothing to go back to.
    }
}

} // namespace bench
