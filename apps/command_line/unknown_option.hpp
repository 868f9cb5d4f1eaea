#pragma once

#include <boost/program_options/options_description.hpp>

#include <string>

namespace command_line {

/// What is told to a user of `given`, "--acess-log", which is none of the options; where one of them is like it, that
/// is asked for.
std::string unknown_option_text(const std::string& given, const boost::program_options::options_description& all);

} // namespace command_line
