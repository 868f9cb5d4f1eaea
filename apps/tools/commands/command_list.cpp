#include "command_list.hpp"

#include "tools/tool_error.hpp"

#include <algorithm>
#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

namespace tools {
namespace {

bool is_program(const std::string& path)
{
    struct stat found;
    return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string look_up(const std::string& name)
{
    const char* const ours = std::getenv("PATH");
    std::string_view path = ours ? ours : "/usr/bin:/bin";
    while (!path.empty()) {
        const std::string_view folder = path.substr(0, path.find(':'));
        path.remove_prefix(std::min(path.size(), folder.size() + 1));
        const std::string program = std::string(folder) + '/' + name;
        // A relative folder would make what runs depend on where we are.
        if (folder.starts_with('/') && is_program(program))
            return program;
    }
    throw tool_error("there is no program " + in_quotes(name) + " in PATH");
}

} // namespace

command_list::command_list(const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        if (name.empty() || name.find('/') != name.npos)
            throw tool_error("a command that may be run is named without its folder, not " + in_quotes(name));
        programs_.emplace(name, look_up(name));
    }
}

const std::string& command_list::program(std::string_view name) const
{
    const auto found = programs_.find(name);
    if (found != programs_.end())
        return found->second;
    if (programs_.empty())
        throw tool_error("no command may be run: the program was started without --allow-command");
    throw tool_error("the command " + in_quotes(name) + " may not be run, only " + names());
}

std::string command_list::names() const
{
    std::string text;
    for (const auto& [name, program] : programs_)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace tools
