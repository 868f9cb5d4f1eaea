#include "process_state.hpp"

#include "child_process.hpp"

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace partyline::test {

bool is_running(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string stat{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name_end = stat.rfind(')'); // then " R ..."
    return name_end != stat.npos && stat.compare(name_end + 2, 1, "Z") != 0;
}

bool is_gone_soon(pid_t pid)
{
    // It is nobody's event that a stranger has gone, so it is looked for.
    for (const auto deadline = std::chrono::steady_clock::now() + patience; is_running(pid);) {
        if (std::chrono::steady_clock::now() > deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

} // namespace partyline::test
