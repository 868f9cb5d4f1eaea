#include "running_gateway.hpp"

#include "support/descriptors.hpp"

#include <fstream>
#include <stdexcept>
#include <utility>

namespace partyline::test {

running_gateway::running_gateway(std::vector<std::string> words)
{
    std::vector<std::string> all{"--listen", "127.0.0.1:0"};
    all.insert(all.end(), words.begin(), words.end());
    auto [reading, writing] = make_pipe();
    process_.emplace(PARTYLINE_GATEWAY, all, child_stdio{-1, -1, writing.get()});
    writing.reset();
    errors_ = line_reader(std::move(reading));
    const std::string told = errors_.read_line().value_or("nothing");
    const std::size_t colon = told.rfind(':');
    if (!told.starts_with("listening on http://127.0.0.1:"))
        throw std::runtime_error("the gateway said: " + told);
    port_ = static_cast<std::uint16_t>(std::stoi(told.substr(colon + 1)));
}

std::vector<int> running_gateway::servers() const
{
    const std::string id = std::to_string(process_->id());
    std::ifstream file("/proc/" + id + "/task/" + id + "/children");
    std::vector<int> found;
    for (int one; file >> one;)
        found.push_back(one);
    return found;
}

std::vector<int> running_gateway::wait_for_servers(std::size_t count)
{
    std::vector<int> found;
    run_until(context, [&] {
        found = servers();
        return found.size() == count;
    });
    return found;
}

} // namespace partyline::test
