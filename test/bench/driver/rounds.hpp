#pragma once

#include "options.hpp"
#include "results.hpp"
#include "selection.hpp"

#include <iosfwd>

namespace bench {

/// Measures everything in rounds, and tells `log` how far it is. Throws `failure` with the first thing that is wrong.
///
/// In each round a workload's reference is run before and after each of its contenders, so that what slows the machine
/// down for a while slows both: a ratio is that to the mean of the two.
results run_rounds(const selection& chosen, const options& wanted, std::ostream& log);

} // namespace bench
