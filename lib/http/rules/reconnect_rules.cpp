#include "http/rules/reconnect_rules.hpp"

#include "protocol/json/random_seed.hpp"

#include <algorithm>

namespace partyline::http {

double random_part()
{
    return static_cast<double>(random_seed() >> 11) * 0x1p-53;
}

std::optional<reconnect_rules::milliseconds> reconnect_rules::on_end(std::optional<milliseconds> least)
{
    if (tries_ == most_tries_)
        return std::nullopt;
    const milliseconds asked = std::clamp(least.value_or(shortest_pause), shortest_pause, longest_asked);
    if (least && tries_ == 0) {
        ++tries_;
        return asked;
    }
    constexpr unsigned most_doublings = 5; // come to more than the longest pause
    const milliseconds longest = std::min(first_pause * (1 << std::min(tries_, most_doublings)), longest_pause);
    ++tries_;
    const milliseconds pause(static_cast<milliseconds::rep>(random_() * static_cast<double>(longest.count())));
    return std::max(pause, asked);
}

} // namespace partyline::http
