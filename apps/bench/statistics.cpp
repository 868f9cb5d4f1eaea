#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {

spread spread_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t upper = values.size() / 2;
    const std::size_t lower = (values.size() - 1) / 2;
    return {(values.at(lower) + values.at(upper)) / 2, values.front(), values.back()};
}

double percentile(const std::vector<double>& sorted, double percent)
{
    const double rank = std::ceil(static_cast<double>(sorted.size()) * percent / 100);
    return sorted.at(rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1);
}

} // namespace bench
