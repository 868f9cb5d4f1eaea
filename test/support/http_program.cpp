#include "http_program.hpp"

#include "descriptors.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace partyline::test {

std::uint16_t listening_port(std::string_view said)
{
    const std::size_t begin = said.find("listening on ");
    const std::size_t end = said.find('\n', begin);
    if (begin == said.npos || end == said.npos)
        return 0;
    std::string_view line = said.substr(begin, end - begin);
    line.remove_prefix(line.rfind(':') + 1);
    std::uint16_t port = 0;
    std::from_chars(line.data(), line.data() + line.size(), port);
    return port;
}

http_program::http_program(const std::string& program, const std::vector<std::string>& words)
{
    auto [reading, writing] = make_pipe();
    process_.emplace(program, words, child_stdio{-1, -1, writing.get()});
    writing.reset();
    errors_ = line_reader(std::move(reading));
    const std::string told = errors_.read_line().value_or("nothing");
    port_ = listening_port(told + '\n');
    if (port_ == 0)
        throw std::runtime_error(program + " said: " + told);
}

} // namespace partyline::test
