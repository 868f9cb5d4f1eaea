#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <cstdint>

namespace command_line {

/// Reads a command line that consists of options only. Throws `std::exception` with a text for the user.
boost::program_options::variables_map parse(int argc, const char* const* argv,
                                            const boost::program_options::options_description& all);

/// The value of a `std::int64_t` option. Throws `std::invalid_argument` when it is out of range. (As an unsigned option
/// Boost.Program_options would take -1 for a large number.)
std::int64_t in_range(const boost::program_options::variables_map& given, const char* name, std::int64_t min,
                      std::int64_t max);

} // namespace command_line
