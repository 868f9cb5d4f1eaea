#pragma once

#include <partyline/protocol/limits.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

namespace command_line {

/// An option for each member of `limits`.
boost::program_options::options_description describe_limits();

/// The limits with what the options say. Throws `std::invalid_argument` with a text for the user.
partyline::limits limits_of(const boost::program_options::variables_map& given);

} // namespace command_line
