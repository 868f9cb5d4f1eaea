#pragma once

#include "descriptor.hpp"

#include <string>

namespace tools {

/// What came of opening a path that is to stay beneath a folder.
struct beneath_result {
    descriptor opened;
    int error = 0;          ///< an errno, when nothing was opened
    bool leads_out = false; ///< for that reason
    bool has_link = false;  ///< since a symbolic link is in the way, where none is followed
};

/// By the kernel: no link and no ".." leads out, also while others rename what is on the way. `error` is ENOSYS or
/// EPERM where there is no such call, or it is not allowed.
beneath_result open_by_kernel(int folder, const std::string& relative, int flags);

/// One name after another, without following links.
beneath_result open_by_component(int folder, const std::string& relative, int flags);

} // namespace tools
