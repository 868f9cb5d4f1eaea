#include "command_line/token_folder.hpp"

#include "command_line/token_entries.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace command_line {
namespace {

constexpr const char* file_name = "tokens.json";
constexpr const char* new_name = "tokens.json.new"; // written by whoever has the lock
constexpr const char* lock_name = "tokens.json.lock";
constexpr const char* refresh_name = "tokens.json.refresh"; // where each byte is a lock

[[noreturn]] void refuse(const std::string& path, const std::string& why)
{
    throw std::runtime_error(path + ": " + why);
}

[[noreturn]] void fail(const std::string& path)
{
    const int code = errno;
    refuse(path, code == ELOOP ? "it is a link, which is not followed" : std::generic_category().message(code));
}

// Of the descriptor: what is checked is what is used.
struct stat facts_of(const owned_descriptor& of, const std::string& path)
{
    struct stat found = {};
    if (::fstat(of.get(), &found) != 0)
        fail(path);
    if (found.st_uid != ::geteuid())
        refuse(path, "it belongs to another user");
    return found;
}

void write_all(const owned_descriptor& to, std::string_view text, const std::string& path)
{
    while (!text.empty()) {
        const ssize_t count = ::write(to.get(), text.data(), text.size());
        if (count < 0 && errno != EINTR)
            fail(path);
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
}

std::string read_all(const owned_descriptor& from, const std::string& path)
{
    std::string text;
    std::array<char, 4096> part;
    while (text.size() <= longest_entries) {
        const ssize_t count = ::read(from.get(), part.data(), part.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(path);
        if (count == 0)
            return text;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    refuse(path, "it is longer than " + std::to_string(longest_entries) + " bytes");
}

// The same in all processes: FNV-1a. Two names that share a place wait for each other, and that is all.
off_t place_of(std::string_view name)
{
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return static_cast<off_t>(hash >> 2);
}

} // namespace

std::string token_folder::read(const std::string& name) const
{
    const owned_descriptor folder = open_folder();
    if (!folder.is_open())
        return {};
    const std::string text = read_in(folder);
    try {
        return entry_of(text, name);
    } catch (const std::invalid_argument& e) {
        refuse(path_of(file_name), e.what());
    }
}

owned_descriptor token_folder::try_lock() const
{
    make_folder();
    owned_descriptor lock = open_lock(lock_name);
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
        return lock;
    if (errno != EWOULDBLOCK && errno != EINTR)
        fail(path_of(lock_name));
    return owned_descriptor(-1);
}

// Of the open file, not of the process: two clients of one process exclude each other as well, and another descriptor
// that is closed leaves it alone.
owned_descriptor token_folder::try_lock_refresh(const std::string& name) const
{
    make_folder();
    owned_descriptor lock = open_lock(refresh_name);
    struct flock wanted = {};
    wanted.l_type = F_WRLCK;
    wanted.l_whence = SEEK_SET;
    wanted.l_start = place_of(name);
    wanted.l_len = 1;
    if (::fcntl(lock.get(), F_OFD_SETLK, &wanted) == 0)
        return lock;
    if (errno != EAGAIN && errno != EACCES && errno != EINTR)
        fail(path_of(refresh_name));
    return owned_descriptor(-1);
}

void token_folder::change(const std::map<std::string, std::string>& texts) const
{
    const owned_descriptor folder = open_folder();
    std::string text = read_in(folder);
    try {
        text = changed_entries(text, texts);
    } catch (const std::invalid_argument& e) {
        refuse(path_of(file_name), e.what());
    }
    write_in(folder, text);
}

void token_folder::make_folder() const
{
    std::error_code failed;
    fs::create_directories(fs::path(path_).parent_path(), failed);
    if (::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST)
        fail(path_);
}

// Not open where there is none.
owned_descriptor token_folder::open_folder() const
{
    owned_descriptor folder(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.is_open() && errno == ENOENT)
        return folder;
    if (!folder.is_open())
        refuse(path_, errno == ENOTDIR || errno == ELOOP ? "it is no folder, or a link"
                                                         : std::generic_category().message(errno));
    if (facts_of(folder, path_).st_mode & (S_IWGRP | S_IWOTH))
        refuse(path_, "others can write to it: chmod 700 " + path_);
    return folder;
}

owned_descriptor token_folder::open_lock(const char* name) const
{
    const owned_descriptor folder = open_folder();
    const std::string path = path_of(name);
    constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    owned_descriptor lock(::openat(folder.get(), name, flags, 0600));
    if (!lock.is_open())
        fail(path);
    if (!S_ISREG(facts_of(lock, path).st_mode))
        refuse(path, "it is no file");
    return lock;
}

// Empty where there is none.
std::string token_folder::read_in(const owned_descriptor& folder) const
{
    const std::string path = path_of(file_name);
    const owned_descriptor file(::openat(folder.get(), file_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open() && errno == ENOENT)
        return no_entries;
    if (!file.is_open())
        fail(path);
    const struct stat found = facts_of(file, path);
    if (!S_ISREG(found.st_mode))
        refuse(path, "it is no file");
    if (found.st_mode & (S_IRWXG | S_IRWXO))
        refuse(path, "others may read or write it: chmod 600 " + path);
    return read_all(file, path);
}

// Whole or not at all: the file is exchanged, once the new one is on the disk.
void token_folder::write_in(const owned_descriptor& folder, const std::string& text) const
{
    const std::string path = path_of(new_name);
    ::unlinkat(folder.get(), new_name, 0); // left by a process that was killed
    const owned_descriptor file(
        ::openat(folder.get(), new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.is_open())
        fail(path);
    write_all(file, text, path);
    if (::fdatasync(file.get()) != 0 && errno != EINVAL && errno != ENOSYS) // some file systems have no such thing
        fail(path);
    if (::renameat(folder.get(), new_name, folder.get(), file_name) != 0)
        fail(path);
}

} // namespace command_line
