#pragma once

#include "results.hpp"

#include <string>

namespace bench {

/// The results as Markdown, aligned so that a terminal shows them well too.
std::string make_table(const results& all);

/// A bar chart (SVG) of the workload "echo": CPU time relative to the yardstick. Throws `std::runtime_error` when that was
/// not measured.
std::string make_chart(const results& all);

} // namespace bench
