#include "command_line/arguments.hpp"

#include "command_line/unknown_option.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/program_options/parsers.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace po = boost::program_options;

namespace command_line {
namespace {

// show, pass or drop
std::string enumeration(std::initializer_list<std::string_view> words)
{
    std::string text;
    for (const std::string_view* word = words.begin(); word != words.end(); ++word) {
        if (word != words.begin())
            text += word + 1 == words.end() ? " or " : ", ";
        text += *word;
    }
    return text;
}

// No option begins with a digit: -5 is a word.
std::vector<po::option> take_negative_number(std::vector<std::string>& rest)
{
    std::vector<po::option> taken;
    const std::string& word = rest.front();
    if (word.size() > 1 && word[0] == '-' && word[1] >= '0' && word[1] <= '9') {
        taken.emplace_back().value.push_back(word);
        rest.erase(rest.begin());
    }
    return taken;
}

// The value of an option that may do without one stands behind it, too, and not only behind "=".
std::vector<po::option> take_optional_value(std::vector<std::string>& rest, const po::options_description& all)
{
    std::vector<po::option> taken;
    if (rest.size() < 2 || !rest[0].starts_with("--") || rest[1].starts_with('-'))
        return taken;
    const po::option_description* const known = all.find_nothrow(rest[0].substr(2), false);
    if (!known || known->semantic()->min_tokens() != 0 || known->semantic()->max_tokens() == 0)
        return taken;
    po::option& one = taken.emplace_back();
    one.string_key = rest[0].substr(2);
    one.value.push_back(rest[1]);
    one.original_tokens.assign(rest.begin(), rest.begin() + 2);
    rest.erase(rest.begin(), rest.begin() + 2);
    return taken;
}

// An option that is misspelt or cut short might be one that writes a file or opens a port: none is guessed.
constexpr int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

po::parsed_options read(const std::vector<std::string>& command_line, const po::options_description& all)
{
    try {
        po::command_line_parser parser(command_line);
        const auto take_more = [&all](std::vector<std::string>& rest) {
            std::vector<po::option> taken = take_negative_number(rest);
            return taken.empty() && !rest.empty() ? take_optional_value(rest, all) : taken;
        };
        return parser.options(all).style(style).extra_style_parser(take_more).run();
    } catch (const po::unknown_option& unknown) {
        throw std::invalid_argument(unknown_option_text(unknown.get_option_name(), all));
    }
}

} // namespace

po::variables_map parse(int argc, const char* const* argv, const po::options_description& all)
{
    arguments given = parse_with_words(std::vector<std::string>(argv + (argc > 0), argv + argc), all);
    if (!given.words.empty())
        throw std::invalid_argument("unexpected argument '" + given.words.front() + "'");
    return std::move(given.options);
}

arguments parse_with_words(const std::vector<std::string>& command_line, const po::options_description& all)
{
    const po::parsed_options parsed = read(command_line, all);
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

std::optional<std::size_t> count_of(const po::variables_map& given, const char* name)
{
    if (!given.count(name))
        return std::nullopt;
    return static_cast<std::size_t>(in_range(given, name, 1, 1000000));
}

std::string text_of(const po::variables_map& given, const char* name)
{
    return given.count(name) ? given[name].as<std::string>() : "";
}

std::size_t choice_of(const po::variables_map& given, const char* name, std::initializer_list<std::string_view> words)
{
    if (!given.count(name))
        return 0;
    const auto& word = given[name].as<std::string>();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
        throw std::invalid_argument("the argument for option '--" + std::string(name) + "' is '" +
                                    partyline::printable(word) + "', expected " + enumeration(words));
    return static_cast<std::size_t>(found - words.begin());
}

} // namespace command_line
