#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace command_line {

/// The value that `percent` of the values do not exceed (nearest rank). `sorted` is ascending and not empty.
template <class Value>
Value percentile(const std::vector<Value>& sorted, double percent)
{
    const double rank = std::ceil(static_cast<double>(sorted.size()) * percent / 100);
    return sorted.at(rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1);
}

} // namespace command_line
