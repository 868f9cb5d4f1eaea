#include "beneath.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace tools {
namespace {

beneath_result failed_with(int error)
{
    beneath_result result;
    result.error = error;
    return result;
}

beneath_result led_out()
{
    beneath_result result = failed_with(EXDEV);
    result.leads_out = true;
    return result;
}

beneath_result result_of(int descriptor_or_error)
{
    if (descriptor_or_error < 0)
        return failed_with(errno);
    beneath_result result;
    result.opened = descriptor(descriptor_or_error);
    return result;
}

// The names of a path, with ".." taken back: there are no links that it could matter for. False: it leads out.
bool split_path(std::string_view relative, std::vector<std::string>& names)
{
    while (!relative.empty()) {
        const std::string_view name = relative.substr(0, relative.find('/'));
        relative.remove_prefix(std::min(relative.size(), name.size() + 1));
        if (name == ".." && names.empty())
            return false;
        if (name == "..")
            names.pop_back();
        else if (!name.empty() && name != ".")
            names.emplace_back(name);
    }
    return true;
}

bool is_link(int folder, const std::string& name)
{
    struct stat found;
    return ::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
}

beneath_result open_name(int folder, const std::string& name, int flags)
{
    beneath_result result = result_of(::openat(folder, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
    if (!result.opened)
        result.has_link = is_link(folder, name);
    return result;
}

} // namespace

beneath_result open_by_kernel(int folder, const std::string& relative, int flags)
{
    constexpr int most = 100; // EAGAIN: somebody renames, so that the kernel can't tell where ".." leads
    open_how how{};
    how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    beneath_result result;
    for (int i = 0; i < most; ++i) {
        result = result_of(static_cast<int>(::syscall(SYS_openat2, folder, relative.c_str(), &how, sizeof how)));
        if (result.error != EAGAIN && result.error != EINTR)
            break;
    }
    result.leads_out = result.error == EXDEV;
    return result;
}

beneath_result open_by_component(int folder, const std::string& relative, int flags)
{
    std::vector<std::string> names;
    if (relative.starts_with('/') || !split_path(relative, names))
        return led_out();
    if (names.empty())
        return open_name(folder, ".", flags);
    descriptor within;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        beneath_result next = open_name(within ? within.get() : folder, names[i], O_PATH | O_DIRECTORY);
        if (!next.opened)
            return next;
        within = std::move(next.opened);
    }
    return open_name(within ? within.get() : folder, names.back(), flags);
}

} // namespace tools
