#include "command_line/arguments.hpp"

#include <boost/program_options/parsers.hpp>

#include <stdexcept>
#include <utility>

namespace po = boost::program_options;

namespace command_line {

po::variables_map parse(int argc, const char* const* argv, const po::options_description& all)
{
    arguments given = parse_with_words(std::vector<std::string>(argv + (argc > 0), argv + argc), all);
    if (!given.words.empty())
        throw std::invalid_argument("unexpected argument '" + given.words.front() + "'");
    return std::move(given.options);
}

arguments parse_with_words(const std::vector<std::string>& command_line, const po::options_description& all)
{
    const po::parsed_options parsed = po::command_line_parser(command_line).options(all).run();
    arguments given;
    for (const po::option& option : parsed.options) {
        if (option.position_key >= 0)
            given.words.insert(given.words.end(), option.value.begin(), option.value.end());
    }
    po::store(parsed, given.options);
    po::notify(given.options);
    return given;
}

std::int64_t in_range(const po::variables_map& given, const char* name, std::int64_t min, std::int64_t max)
{
    const auto value = given[name].as<std::int64_t>();
    if (value < min || value > max)
        throw std::invalid_argument("the argument for option '--" + std::string(name) + "' is " +
                                    std::to_string(value) + ", expected " + std::to_string(min) + " to " +
                                    std::to_string(max));
    return value;
}

} // namespace command_line
