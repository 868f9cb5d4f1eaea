#include "process_state.hpp"

#include "child_process.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

namespace partyline::test {
namespace {

// What becomes of a stranger is nobody's event, so it is looked for.
template <class Condition>
bool is_so_soon(Condition is_so)
{
    for (const auto deadline = std::chrono::steady_clock::now() + patience; !is_so();) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

struct process_line {
    char state = 'X';
    pid_t parent = 0;
    pid_t group = 0;
};

process_line read_process(const std::string& pid)
{
    std::ifstream file("/proc/" + pid + "/stat");
    std::string stat;
    std::getline(file, stat, '\0'); // unlike an iterator it does not throw where the process goes meanwhile
    process_line line;
    if (const std::size_t name_end = stat.rfind(')'); name_end != stat.npos)
        std::istringstream(stat.substr(name_end + 1)) >> line.state >> line.parent >> line.group;
    return line;
}

bool is_alive(const process_line& line)
{
    return line.state != 'X' && line.state != 'Z';
}

} // namespace

bool is_running(pid_t pid)
{
    return is_alive(read_process(std::to_string(pid)));
}

bool has_running_members(pid_t group)
{
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != name.npos)
            continue;
        if (const process_line line = read_process(name); line.group == group && is_alive(line))
            return true;
    }
    return false;
}

bool is_group_gone_soon(pid_t group)
{
    return is_so_soon([=] { return !has_running_members(group); });
}

bool is_gone_soon(pid_t pid)
{
    return is_so_soon([=] { return !is_running(pid); });
}

std::vector<pid_t> children_of(pid_t pid)
{
    std::vector<pid_t> found;
    std::error_code gone;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
        std::ifstream file(thread.path() / "children"); // those that this thread has started
        for (pid_t one = 0; file >> one;)
            found.push_back(one);
    }
    return found;
}

std::vector<pid_t> descendants_of(pid_t pid)
{
    std::vector<pid_t> found = children_of(pid);
    for (std::size_t i = 0; i != found.size(); ++i) {
        const std::vector<pid_t> next = children_of(found[i]);
        found.insert(found.end(), next.begin(), next.end());
    }
    return found;
}

std::size_t descriptors_of(pid_t pid)
{
    const std::filesystem::directory_iterator all("/proc/" + std::to_string(pid) + "/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

bool has_at_most_descriptors_soon(pid_t pid, std::size_t count)
{
    return is_so_soon([=] { return descriptors_of(pid) <= count; });
}

} // namespace partyline::test
