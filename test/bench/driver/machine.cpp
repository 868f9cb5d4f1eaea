#include "results.hpp"

#include <boost/version.hpp>

#include <fstream>
#include <thread>

#include <gnu/libc-version.h>
#include <sys/utsname.h>

namespace bench {
namespace {

std::string cpu_model()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "unknown";
}

std::string kernel()
{
    utsname names{};
    ::uname(&names);
    return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string compiler()
{
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "g++ " __VERSION__;
#endif
}

std::string boost_version()
{
    return std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) + "." +
           std::to_string(BOOST_VERSION % 100);
}

} // namespace

machine describe_machine(bool is_pinned)
{
    return {.cpu = cpu_model(),
            .cores = std::thread::hardware_concurrency(),
            .kernel = kernel(),
            .compiler = compiler(),
            .boost = boost_version(),
            .libc = std::string("glibc ") + ::gnu_get_libc_version(),
            .pinned = is_pinned,
            .profiled = PARTYLINE_HAS_PROFILE != 0};
}

} // namespace bench
