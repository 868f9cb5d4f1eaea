#pragma once

#include <boost/json/object.hpp>

#include <string>

namespace partyline::mcp::skills {

/// Writes what has no `frontmatter_problem` as the frontmatter of a SKILL.md, "---" around it: each member is a line,
/// its value JSON, which readers of YAML 1.1 and 1.2 read alike as it is written here. So a number that is a `double`
/// has a point, and an exponent a sign, else YAML 1.1 has a text.
///
/// Throws `std::invalid_argument` where a member, at whatever depth, is named "", or "<<", by which YAML 1.1 merges
/// maps, or by more than 128 bytes (readers look for ":" within 1024 characters).
std::string write_frontmatter(const boost::json::object& frontmatter);

} // namespace partyline::mcp::skills
