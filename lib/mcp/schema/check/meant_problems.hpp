#pragma once

#include "mcp/schema/mismatch.hpp"

#include <string>
#include <vector>

namespace partyline::mcp::detail {

using mismatches = std::vector<mismatch>;

/// Of what each of several alternatives has to say about the value at `whole`, what helps: the problems of the
/// alternative that seems to be meant, or the place that all find fault with. Empty where that cannot be told.
mismatches meant_problems(const std::vector<mismatches>& tries, const std::string& whole);

} // namespace partyline::mcp::detail
