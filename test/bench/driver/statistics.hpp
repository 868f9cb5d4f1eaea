#pragma once

#include <boost/describe/class.hpp>

#include <vector>

namespace bench {

/// The middle of what was measured in several rounds, and how far apart they lie.
struct spread {
    double median = 0;
    double min = 0;
    double max = 0;
};
BOOST_DESCRIBE_STRUCT(spread, (), (median, min, max))

/// Of at least one value.
spread spread_of(std::vector<double> values);

} // namespace bench
