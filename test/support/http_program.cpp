#include "http_program.hpp"

#include "descriptors.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::test {

http_program::http_program(const std::string& program, const std::vector<std::string>& words)
{
    auto [reading, writing] = make_pipe();
    process_.emplace(program, words, child_stdio{-1, -1, writing.get()});
    writing.reset();
    errors_ = line_reader(std::move(reading));
    const std::string told = errors_.read_line().value_or("nothing");
    if (!told.starts_with("listening on http://127.0.0.1:") && !told.starts_with("listening on 127.0.0.1:"))
        throw std::runtime_error(program + " said: " + told);
    port_ = static_cast<std::uint16_t>(std::stoi(told.substr(told.rfind(':') + 1)));
}

} // namespace partyline::test
