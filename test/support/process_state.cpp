#include "process_state.hpp"

#include "child_process.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
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

} // namespace

bool is_running(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name_end = stat.rfind(')'); // then " R ..."
    return name_end != stat.npos && stat.compare(name_end + 2, 1, "Z") != 0;
}

bool is_gone_soon(pid_t pid)
{
    return is_so_soon([=] { return !is_running(pid); });
}

std::vector<pid_t> children_of(pid_t pid)
{
    const std::string id = std::to_string(pid);
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    std::vector<pid_t> found;
    for (pid_t one = 0; file >> one;)
        found.push_back(one);
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
