#include "gateway/find_program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gateway {
namespace {

// The errno that starting this file would fail with, or 0.
int check_file(const std::string& file)
{
    struct stat known{};
    if (::stat(file.c_str(), &known) != 0)
        return errno;
    if (!S_ISREG(known.st_mode))
        return EACCES;
    return ::faccessat(AT_FDCWD, file.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// Like execvp, but for directories that are relative: what can't be run is passed over, and told only if nothing else
// is found.
int check_path(const std::string& program, std::string_view path)
{
    int failed = ENOENT;
    while (!path.empty()) {
        const std::string_view directory = path.substr(0, path.find(':'));
        path.remove_prefix(std::min(path.size(), directory.size() + 1));
        if (!directory.starts_with('/'))
            continue;
        const int why = check_file(std::string(directory) + '/' + program);
        if (why == 0)
            return 0;
        if (why != ENOENT && why != ENOTDIR)
            failed = why;
    }
    return failed;
}

} // namespace

std::error_code check_program(const std::string& program)
{
    const char* const path = std::getenv("PATH");
    const bool is_file = program.find('/') != program.npos;
    const int failed = is_file ? check_file(program) : check_path(program, path ? path : "/usr/bin:/bin");
    return {failed, std::generic_category()};
}

} // namespace gateway
