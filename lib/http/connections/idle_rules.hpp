#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace partyline::http {

/// How long a connection is kept for the next request: for as long as we like, and not until the server may be about to
/// close it, for then a request could cross that.
inline std::chrono::milliseconds idle_time(std::chrono::milliseconds ours, std::optional<std::chrono::seconds> told)
{
    using namespace std::chrono_literals;
    if (!told)
        return ours;
    const std::chrono::milliseconds theirs = *told > 2s ? *told - 1s : std::chrono::milliseconds(*told) / 2;
    return std::min(ours, theirs);
}

} // namespace partyline::http
