#pragma once

#include <partyline/config.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

/// The arguments of a tool that clients over HTTP repeat in fields of their own (2026-07-28, `x-mcp-header`): what the
/// field is called behind "Mcp-Param-", and the names of properties that lead to the argument.
using mirrored_arguments = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Those that an input schema marks, as far as they are reached by properties alone. Throws `std::invalid_argument` for
/// a mark that no field can be named by, that is there twice, or on what is neither string, integer nor boolean:
/// clients drop such tools. For one who forwards what another server offers; an `mcp::server` knows those of its own
/// tools.
PARTYLINE_EXPORT mirrored_arguments find_mirrored_arguments(const boost::json::object& input_schema);

} // namespace partyline::mcp
