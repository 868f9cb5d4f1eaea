#include "mcp_extensions/skills/read_folder.hpp"

#include "mcp_extensions/skills/shown.hpp"

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partyline::mcp::skills {
namespace {

// Folders and files that may be looked at for one skill.
constexpr std::size_t max_entries = 4 * max_files;

[[noreturn]] void fail(const std::string& what)
{
    throw boost::system::system_error(boost::system::error_code(errno, boost::system::system_category()), what);
}

[[noreturn]] void refuse_file(const std::string& path, const std::string& why)
{
    throw std::invalid_argument("skill file " + path + ": " + why);
}

class open_file {
public:
    explicit open_file(int descriptor) noexcept : descriptor_(descriptor) {}
    open_file(open_file&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    open_file& operator=(open_file&&) = delete;
    ~open_file()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    int get() const noexcept { return descriptor_; }
    int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    int descriptor_;
};

struct close_folder {
    void operator()(DIR* of) const noexcept { ::closedir(of); }
};
using open_folder = std::unique_ptr<DIR, close_folder>;

// Everything is opened below its folder, and no link is followed on the way.
class folder_reader {
public:
    explicit folder_reader(std::string root) : root_(std::move(root)) {}

    file_map read()
    {
        open_file folder(::open(root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.get() < 0)
            fail(place({}));
        read_folder(std::move(folder), {}, 0);
        return std::move(files_);
    }

private:
    std::string place(const std::string& path) const { return shown_path(path.empty() ? root_ : root_ + "/" + path); }

    void read_folder(open_file folder, const std::string& path, std::size_t depth)
    {
        if (depth > max_depth)
            refuse_file(place(path), "it is in more than " + std::to_string(max_depth) + " folders");
        const open_folder opened(::fdopendir(folder.get()));
        if (!opened)
            fail(place(path));
        folder.release();
        for (const std::string& name : names_in(*opened, path))
            read_entry(::dirfd(opened.get()), name, path.empty() ? name : path + "/" + name, depth);
    }

    // Null at the end, and with an `errno` that is not 0 where that can't be read.
    static const dirent* next_entry(DIR& folder)
    {
        errno = 0;
        return ::readdir(&folder);
    }

    std::vector<std::string> names_in(DIR& folder, const std::string& path)
    {
        std::vector<std::string> names;
        while (const dirent* const entry = next_entry(folder)) {
            const std::string_view name = entry->d_name;
            if (name == "." || name == "..")
                continue;
            if (!name.starts_with('.'))
                names.emplace_back(name);
            if (++entries_ > max_entries)
                refuse_file(place({}),
                            "there are more than " + std::to_string(max_entries) + " files and folders in it");
        }
        if (errno != 0)
            fail(place(path));
        std::sort(names.begin(), names.end()); // so that the same thing is found wrong each time
        return names;
    }

    void read_entry(int folder, const std::string& name, const std::string& path, std::size_t depth)
    {
        // Not waiting for whoever writes to a pipe, nor taking a terminal.
        open_file opened(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        struct stat about = {};
        if (opened.get() < 0 && (errno == ELOOP || errno == ENXIO))
            refuse_file(place(path), "expected a file or a folder, got a symbolic link or a socket");
        if (opened.get() < 0 || ::fstat(opened.get(), &about) != 0)
            fail(place(path));
        if (S_ISDIR(about.st_mode))
            return read_folder(std::move(opened), path, depth + 1);
        if (!S_ISREG(about.st_mode))
            refuse_file(place(path), "expected a file or a folder, got a pipe or a device");
        if (files_.size() == max_files)
            refuse_file(place({}), "a skill has " + std::to_string(max_files) + " files at most");
        files_.emplace(path, read_file(opened.get(), path));
    }

    std::string read_file(int file, const std::string& path)
    {
        std::string bytes;
        std::array<char, 16384> chunk;
        while (true) {
            const ssize_t got = ::read(file, chunk.data(), chunk.size());
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                fail(place(path));
            if (got == 0)
                return bytes;
            bytes_ += static_cast<std::size_t>(got);
            if (bytes_ > max_bytes)
                refuse_file(place(path), "the files of a skill have " + std::to_string(max_bytes) + " bytes at most");
            bytes.append(chunk.data(), static_cast<std::size_t>(got));
        }
    }

    const std::string root_;
    file_map files_;
    std::size_t entries_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace

file_map read_folder(const std::filesystem::path& folder)
{
    return folder_reader(folder.string()).read();
}

} // namespace partyline::mcp::skills
