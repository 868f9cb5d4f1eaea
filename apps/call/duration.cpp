#include "duration.hpp"

#include <partyline/protocol/printable.hpp>

#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace call {
namespace {

using namespace std::chrono_literals;
using seconds = std::chrono::duration<double>;

constexpr std::pair<std::string_view, seconds> units[] = {
    {"us", 1us}, {"ms", 1ms}, {"s", 1s}, {"m", 1min}, {"h", 1h},
};
constexpr seconds longest = 10'000h;

// Zero for what is none.
seconds unit_of(std::string_view name)
{
    for (const auto& [known, length] : units) {
        if (name == known)
            return length;
    }
    return seconds::zero();
}

} // namespace

duration parse_duration(std::string_view text)
{
    double number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failed] = std::from_chars(text.data(), last, number, std::chars_format::fixed);
    const seconds unit = unit_of(std::string_view(end, static_cast<std::size_t>(last - end)));
    if (failed != std::errc() || unit == seconds::zero())
        throw std::invalid_argument("'" + partyline::printable(text) +
                                    "' is no time: expected a number and a unit, such as 200ms, 5s or 2m");
    const auto time = std::chrono::duration_cast<duration>(number * unit < longest ? number * unit : longest);
    if (!(number * unit <= longest) || time <= duration::zero())
        throw std::invalid_argument("'" + partyline::printable(text) + "' is out of range: expected 1us to 10000h");
    return time;
}

std::string to_text(duration time)
{
    const double us = std::chrono::duration<double, std::micro>(time).count();
    const auto [value, unit] = us < 1e3   ? std::pair(us, "us")
                               : us < 1e6 ? std::pair(us / 1e3, "ms")
                                          : std::pair(us / 1e6, "s");
    char text[48];
    std::snprintf(text, sizeof text, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, unit);
    return text;
}

} // namespace call
