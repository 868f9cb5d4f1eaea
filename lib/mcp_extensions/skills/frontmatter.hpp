#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// The YAML in front of a SKILL.md, between lines of "---", as JSON: see yaml_reader.hpp. Throws `yaml_error`, with the
/// line of the file.
boost::json::object read_frontmatter(std::string_view file);
/// Why this can't be the frontmatter of a skill (a name, and a description of 1 to 1024 characters). Empty: it can.
std::string frontmatter_problem(const boost::json::object& frontmatter);

/// Where the two say different things, as "metadata.version"; empty where they are the same: objects in whatever order,
/// numbers by what they are worth.
std::string find_difference(const boost::json::object& one, const boost::json::object& other);

} // namespace partyline::mcp::skills
