#include "command_line/wire_options.hpp"

#include <partyline/protocol/printable.hpp>

#include <stdexcept>
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
    const auto& word = given["framing"].as<std::string>();
    if (word == "lines")
        return partyline::framing_kind::lines;
    if (word == "content-length")
        return partyline::framing_kind::content_length;
    throw std::invalid_argument("the argument for option '--framing' is '" + partyline::printable(word) +
                                "', expected lines or content-length");
}

} // namespace command_line
