#include "session/check_options.hpp"

#include <stdexcept>
#include <string>

namespace partyline {

void check_range(std::string_view option, std::size_t value, std::size_t least, std::size_t most)
{
    if (value >= least && value <= most)
        return;
    const bool is_open = most == std::numeric_limits<std::size_t>::max();
    const std::string expected =
        is_open ? "at least " + std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
    throw std::invalid_argument(std::string(option) + " is " + std::to_string(value) + ", expected " + expected);
}

void check_options(const session_options& given)
{
    if (!given.profile)
        throw std::invalid_argument("a session needs a profile, and got a null pointer");
    for (const limit_range& range : limit_ranges())
        check_range(std::string("limits::") + range.name, given.bounds.*range.member, range.least, range.most);
}

} // namespace partyline
