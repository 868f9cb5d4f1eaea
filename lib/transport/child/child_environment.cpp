#include "transport/child/child_environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include <unistd.h>

extern char** environ; // POSIX leaves that to us

namespace partyline {
namespace {

std::map<std::string, std::string> all_of_ours()
{
    std::map<std::string, std::string> all;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        const std::size_t sign = text.find('=');
        if (sign != text.npos)
            all.emplace(text.substr(0, sign), text.substr(sign + 1));
    }
    return all;
}

std::map<std::string, std::string> some_of_ours(const std::vector<std::string>& names)
{
    std::map<std::string, std::string> some;
    for (const std::string& name : names)
        if (const char* const value = std::getenv(name.c_str()))
            some.emplace(name, value);
    return some;
}

void check_variable(const std::string& name, const std::string& value)
{
    const bool is_name = !name.empty() && name.find_first_of(std::string_view("=\0", 2)) == name.npos;
    if (!is_name || value.find('\0') != value.npos)
        throw std::invalid_argument("no environment variable can be '" + name + "=" + value + "'");
}

} // namespace

child_environment::child_environment(const child_options& options)
    : variables_(options.inherited_variables ? some_of_ours(*options.inherited_variables) : all_of_ours())
{
    for (const auto& [name, value] : options.variables) {
        check_variable(name, value);
        variables_[name] = value;
    }
    for (const auto& [name, value] : variables_)
        entries_.push_back(name + '=' + value);
}

std::vector<std::string> child_environment::places_of(const std::string& command) const
{
    if (command.find('/') != command.npos)
        return {command};
    const auto own = variables_.find("PATH");
    const char* const ours = std::getenv("PATH");
    std::string_view path = own != variables_.end() ? std::string_view(own->second) : ours ? ours : "/usr/bin:/bin";
    std::vector<std::string> places;
    while (!path.empty()) {
        const std::string_view directory = path.substr(0, path.find(':'));
        path.remove_prefix(std::min(path.size(), directory.size() + 1));
        // One that is relative, or empty, would make what runs depend on where we are.
        if (directory.starts_with('/'))
            places.push_back(std::string(directory) + '/' + command);
    }
    return places;
}

std::vector<char*> child_environment::pointers()
{
    std::vector<char*> all;
    all.reserve(entries_.size() + 1);
    for (std::string& entry : entries_)
        all.push_back(entry.data());
    all.push_back(nullptr);
    return all;
}

} // namespace partyline
