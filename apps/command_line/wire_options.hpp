#pragma once

#include <partyline/session/session_options.hpp>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <optional>

namespace command_line {

/// The option `--framing`.
void describe_framing(boost::program_options::options_description& all);

/// What it says. Throws `std::invalid_argument` with a text for the user.
std::optional<partyline::framing_kind> framing_of(const boost::program_options::variables_map& given);

} // namespace command_line
