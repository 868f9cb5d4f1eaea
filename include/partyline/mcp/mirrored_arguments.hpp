#pragma once

#include <partyline/config.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// The arguments of a tool that clients over HTTP repeat in fields of their own (2026-07-28, `x-mcp-header`): the name
/// of the field after "Mcp-Param-", and the names of properties that lead to the argument.
using mirrored_arguments = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Finds the arguments that an input schema marks, as far as they are reached by properties alone; for programs that
/// forward the tools of another server (an `mcp::server` does so for its own). Throws `std::invalid_argument` where
/// clients drop the tool: for a mark that can't name a field, that occurs twice, or that is on a property which is
/// neither string, integer nor boolean; for more than 64 marks, and for one that is reached by names of more than 1 KiB
/// together.
PARTYLINE_EXPORT mirrored_arguments find_mirrored_arguments(const boost::json::object& input_schema);

} // namespace partyline::mcp
