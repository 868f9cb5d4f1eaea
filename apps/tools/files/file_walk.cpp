#include "file_walk.hpp"

#include "tools/tool_error.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace tools {
namespace {

bool is_passed_over(std::string_view name)
{
    for (const std::string_view one : {".", "..", ".git", ".hg", ".svn", ".bzr", ".jj"}) {
        if (name == one)
            return true;
    }
    return false;
}

std::string text_of(int error)
{
    return std::generic_category().message(error);
}

struct folder_closer {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};
using open_folder = std::unique_ptr<DIR, folder_closer>;

// A second descriptor, since reading a folder takes its own.
open_folder start_listing(int folder)
{
    descriptor own(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
    open_folder listing(own ? ::fdopendir(own.get()) : nullptr);
    if (listing)
        own.release();
    return listing;
}

} // namespace

file_walk::file_walk(const root_folder& root, const std::string& start, walk_limits limits, stop_check is_stopped)
    : limits_(limits), is_stopped_(std::move(is_stopped))
{
    enter(root.open_folder(start), "");
}

std::optional<std::string> file_walk::next()
{
    while (!levels_.empty()) {
        stop_if(is_stopped_);
        level& now = levels_.back();
        if (now.next == now.entries.size()) {
            levels_.pop_back();
            continue;
        }
        const entry& found = now.entries[now.next++];
        const unsigned char type = type_of(found);
        if (type == DT_DIR) {
            enter_entry(std::string(found.name));
        } else if (type == DT_REG) {
            current_ = found.name;
            return now.path + current_;
        }
    }
    return std::nullopt;
}

std::optional<opened_file> file_walk::open()
{
    descriptor file = open_entry(current_, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (!file)
        return std::nullopt;
    struct stat found;
    if (::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode))
        return std::nullopt; // something else has taken its place
    return opened_file{std::move(file), static_cast<std::uint64_t>(found.st_size)};
}

void file_walk::note_unreadable(std::string path, std::string why)
{
    ++unreadable_count_;
    if (unreadable_.size() < limits_.max_unreadable)
        unreadable_.push_back({std::move(path), std::move(why)});
}

void file_walk::enter_entry(const std::string& name)
{
    std::string path = levels_.back().path + name;
    if (levels_.size() > limits_.max_depth)
        return note_unreadable(std::move(path),
                               "it lies deeper than " + std::to_string(limits_.max_depth) + " folders");
    descriptor folder = open_entry(name, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    if (folder)
        enter(std::move(folder), std::move(path) + '/');
}

void file_walk::enter(descriptor folder, std::string path)
{
    std::vector<entry> entries = list(folder.get(), path);
    levels_.push_back({std::move(folder), std::move(path), std::move(entries)});
}

std::vector<file_walk::entry> file_walk::list(int folder, const std::string& path)
{
    std::vector<entry> entries;
    const open_folder listing = start_listing(folder);
    if (!listing) {
        note_unreadable(path, text_of(errno));
        return entries;
    }
    while (const dirent* const found = ::readdir(listing.get())) {
        if (is_passed_over(found->d_name))
            continue;
        if (++entries_seen_ > limits_.max_entries) {
            is_truncated_ = true;
            break;
        }
        if (entries_seen_ % 1024 == 0)
            stop_if(is_stopped_);
        entries.push_back({found->d_name, found->d_type});
    }
    std::ranges::sort(entries, {}, &entry::name);
    return entries;
}

// Not every file system says it.
unsigned char file_walk::type_of(const entry& what) const
{
    struct stat found;
    if (what.type != DT_UNKNOWN)
        return what.type;
    if (::fstatat(levels_.back().folder.get(), what.name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0)
        return DT_UNKNOWN;
    return S_ISDIR(found.st_mode) ? DT_DIR : S_ISREG(found.st_mode) ? DT_REG : DT_UNKNOWN;
}

// What has gone since it was listed, or become a link, or something else, is none of ours any more.
descriptor file_walk::open_entry(const std::string& name, int flags)
{
    const level& now = levels_.back();
    descriptor opened(::openat(now.folder.get(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
    const int error = errno;
    if (!opened && error != ENOENT && error != ELOOP && error != ENOTDIR && error != ENXIO)
        note_unreadable(now.path + name, text_of(error));
    return opened;
}

} // namespace tools
