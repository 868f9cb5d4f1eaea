#include "root_folder.hpp"

#include "beneath.hpp"
#include "tools/tool_error.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

namespace tools {
namespace {

std::string canonical(const std::string& path)
{
    const std::unique_ptr<char, decltype(&std::free)> found(::realpath(path.c_str(), nullptr), &std::free);
    if (!found)
        throw_failure("cannot open the root " + in_quotes(path), errno);
    return found.get();
}

std::string absolute(const std::string& path)
{
    std::string full = std::filesystem::absolute(path).lexically_normal().string();
    while (full.size() > 1 && full.ends_with('/'))
        full.pop_back();
    return full;
}

descriptor open_root(const std::string& path)
{
    descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder)
        throw_failure("cannot open the root " + in_quotes(path), errno);
    return folder;
}

// Old kernels have no openat2, and some containers do not let it through.
path_lookup best_lookup(const descriptor& folder)
{
    return open_by_kernel(folder.get(), ".", O_PATH).opened ? path_lookup::by_kernel : path_lookup::by_component;
}

[[noreturn]] void refuse(const std::string& relative, const std::string& root, const beneath_result& why)
{
    const std::string what = "cannot open " + in_quotes(relative);
    if (why.leads_out)
        throw tool_error(what + ": it leads out of the root " + in_quotes(root) +
                         ", by \"..\" or by a symbolic link (one with an absolute target counts as such)");
    if (why.has_link)
        throw tool_error(what + ": a symbolic link is on the way, and this system can't follow it safely");
    if (why.error == ELOOP)
        throw tool_error(what + ": it goes through too many symbolic links, or through one of /proc");
    throw_failure(what + " in the root " + in_quotes(root), why.error);
}

} // namespace

root_folder::root_folder(const std::string& path)
    : given_path_(absolute(path)), path_(canonical(path)), folder_(open_root(path_)), lookup_(best_lookup(folder_))
{
}

root_folder::root_folder(const std::string& path, path_lookup lookup) : root_folder(path)
{
    lookup_ = lookup;
}

std::string_view root_folder::name() const noexcept
{
    const std::string_view all = path_;
    return all == "/" ? "root" : all.substr(all.rfind('/') + 1);
}

opened_file root_folder::open_file(const std::string& relative) const
{
    return check_regular(open(relative, O_RDONLY | O_NONBLOCK | O_NOCTTY), relative);
}

descriptor root_folder::open_folder(const std::string& relative) const
{
    return open(relative.empty() ? "." : relative, O_RDONLY | O_DIRECTORY);
}

descriptor root_folder::open(const std::string& relative, int flags) const
{
    if (relative.empty())
        throw tool_error("the path of a file is empty");
    if (relative.find('\0') != relative.npos)
        throw tool_error("no path has a zero byte: " + in_quotes(relative));
    const auto opens = lookup_ == path_lookup::by_kernel ? &open_by_kernel : &open_by_component;
    beneath_result result = opens(folder_.get(), relative, flags);
    // A socket, or a device without a driver, for which the text of the error would say no such device.
    if (result.error == ENXIO)
        throw tool_error(in_quotes(relative) + " is no regular file");
    if (!result.opened)
        refuse(relative, path_, result);
    return std::move(result.opened);
}

opened_file check_regular(descriptor file, const std::string& shown)
{
    struct stat found;
    if (::fstat(file.get(), &found) != 0)
        throw_failure("cannot open " + in_quotes(shown), errno);
    if (S_ISDIR(found.st_mode))
        throw tool_error(in_quotes(shown) + " is a folder, expected a file");
    if (!S_ISREG(found.st_mode))
        throw tool_error(in_quotes(shown) + " is no regular file");
    return {std::move(file), static_cast<std::uint64_t>(found.st_size)};
}

} // namespace tools
