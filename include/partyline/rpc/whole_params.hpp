#pragma once

namespace partyline {

/// The params as a whole, read as a `T`: for a method of any number of arguments (`whole_params<std::vector<double>>`)
/// or of any names (`whole_params<std::map<std::string, int>>`).
///
///     methods.add("sum", [](partyline::whole_params<std::vector<double>> all) {
///         return std::accumulate(all.value.begin(), all.value.end(), 0.0);
///     });
template <class T>
struct whole_params {
    /// The value that was read.
    T value;
};

} // namespace partyline
