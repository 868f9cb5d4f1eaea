#include "tool_error.hpp"

#include <partyline/protocol/printable.hpp>

#include <system_error>

namespace tools {

void throw_failure(const std::string& what, int error)
{
    throw tool_error(what + ": " + std::generic_category().message(error));
}

std::string in_quotes(std::string_view text)
{
    constexpr std::size_t enough = 300;
    return '\'' + partyline::printable(text, enough) + '\'';
}

} // namespace tools
