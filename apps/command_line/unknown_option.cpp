#include "command_line/unknown_option.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace command_line {
namespace {

constexpr std::size_t max_name = 100; // no option is as long

// How many characters are to be put in, taken out or replaced to make one of the other.
std::size_t distance(std::string_view one, std::string_view other)
{
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i != one.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j != other.size(); ++j) {
            const std::size_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

// An option that begins like that is nearest, and of several the shortest.
std::string nearest(std::string_view name, const boost::program_options::options_description& all)
{
    std::string found;
    std::size_t least = std::min<std::size_t>(name.size() / 2, 2) + 1;
    for (const auto& option : all.options()) {
        const std::string& known = option->long_name();
        const bool begins_so = name.size() > 1 && known.starts_with(name);
        const std::size_t far = begins_so ? 0 : distance(name, known);
        if (far < least || (far == least && far == 0 && known.size() < found.size())) {
            found = known;
            least = far;
        }
    }
    return found;
}

} // namespace

std::string unknown_option_text(const std::string& given, const boost::program_options::options_description& all)
{
    const std::string_view option = std::string_view(given).substr(0, given.find('='));
    const std::string text = "unrecognised option '" + partyline::printable(option, max_name) + '\'';
    const std::size_t dashes = std::min(option.find_first_not_of('-'), option.size());
    const std::string near = option.size() > max_name ? "" : nearest(option.substr(dashes), all);
    return near.empty() ? text : text + ", did you mean '--" + near + "'?";
}

} // namespace command_line
