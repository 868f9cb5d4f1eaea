#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// The programs that may be run, by the names that callers give them. Each is looked up in PATH once, so that nothing
/// that is put there later is ever run.
class command_list {
public:
    command_list() = default;
    /// Throws tool_error for a name with a slash, and for one that no absolute folder in PATH has as a program.
    explicit command_list(const std::vector<std::string>& names);

    /// The absolute path of a program. Throws tool_error that lists the names when this is none of them.
    const std::string& program(std::string_view name) const;

    bool empty() const noexcept { return programs_.empty(); }
    /// "git, make".
    std::string names() const;

private:
    std::map<std::string, std::string, std::less<>> programs_;
};

} // namespace tools
