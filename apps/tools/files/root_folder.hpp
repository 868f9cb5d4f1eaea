#pragma once

#include "descriptor.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tools {

/// How a path is followed.
enum class path_lookup {
    by_kernel,    ///< by openat2, which keeps it beneath the root: links and ".." may lead anywhere within
    by_component, ///< where there is no openat2: one name after another, and no link is followed
};

/// A file that has been opened for reading.
struct opened_file {
    descriptor file;
    std::uint64_t size = 0;
};

/// A folder of which files are read, and nothing beside it. It is held by a descriptor: what its path leads to later is
/// of no interest.
///
/// Thread safety: safe.
class root_folder {
public:
    /// Throws tool_error that names the path, when that is no folder that can be read.
    explicit root_folder(const std::string& path);
    root_folder(const std::string& path, path_lookup lookup);

    /// Absolute, without links.
    const std::string& path() const noexcept { return path_; }
    /// As it was given, made absolute.
    const std::string& given_path() const noexcept { return given_path_; }
    /// The last part of its path.
    std::string_view name() const noexcept;
    path_lookup lookup() const noexcept { return lookup_; }

    // Both take a path relative to this folder. Throw tool_error that names it and says why: it leads out, there is no
    // such file, it is of another kind.

    /// Opens a regular file. Never waits, whatever else stands there.
    opened_file open_file(const std::string& relative) const;
    /// Opens a folder; an empty path is this one.
    descriptor open_folder(const std::string& relative) const;

private:
    descriptor open(const std::string& relative, int flags) const;

    std::string given_path_;
    std::string path_;
    descriptor folder_;
    path_lookup lookup_;
};

/// What was opened, once it is known to be a regular file; throws tool_error else. `shown` names it.
opened_file check_regular(descriptor file, const std::string& shown);

} // namespace tools
