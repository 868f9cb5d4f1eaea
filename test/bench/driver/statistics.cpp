#include "statistics.hpp"

#include <algorithm>
#include <cstddef>

namespace bench {

spread spread_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t upper = values.size() / 2;
    const std::size_t lower = (values.size() - 1) / 2;
    return {(values.at(lower) + values.at(upper)) / 2, values.front(), values.back()};
}

} // namespace bench
