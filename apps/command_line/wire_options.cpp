#include "command_line/wire_options.hpp"

#include "command_line/arguments.hpp"

#include <string>

namespace po = boost::program_options;

namespace command_line {

void describe_framing(po::options_description& all)
{
    all.add_options()(
        "framing", po::value<std::string>(),
        "how messages are told apart: lines (one a line), content-length (headers, as language servers do)");
}

std::optional<partyline::framing_kind> framing_of(const po::variables_map& given)
{
    if (!given.count("framing"))
        return std::nullopt;
    constexpr partyline::framing_kind kinds[] = {partyline::framing_kind::lines,
                                                 partyline::framing_kind::content_length};
    return kinds[choice_of(given, "framing", {"lines", "content-length"})];
}

} // namespace command_line
