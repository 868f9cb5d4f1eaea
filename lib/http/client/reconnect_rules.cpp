#include "http/client/reconnect_rules.hpp"

#include <algorithm>

namespace partyline::http {

std::optional<reconnect_rules::milliseconds> reconnect_rules::on_end(std::optional<milliseconds> least)
{
    if (tries_ >= most_tries_)
        return std::nullopt;
    const milliseconds asked = std::clamp(least.value_or(shortest_pause), shortest_pause, longest_asked);
    const auto pause = std::chrono::duration_cast<milliseconds>(pauses_.next(1 - random_()));
    const bool is_first = tries_++ == 0;
    return least && is_first ? asked : std::max(pause, asked);
}

} // namespace partyline::http
