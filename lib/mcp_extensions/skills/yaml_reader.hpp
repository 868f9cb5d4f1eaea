#pragma once

#include <boost/json/object.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace partyline::mcp::skills {

/// Reads lines of YAML as one map: of the language as much as people write in the frontmatter of skills. Maps and lists
/// by indentation and in `{}` and `[]`, scalars plain, in either quotes, and as `|` and `>`, comments; numbers, bools
/// and null by the core schema of YAML 1.2. What else there is, such as anchors, aliases, tags, keys that are no texts,
/// and several documents, is refused. The lines are UTF-8, without their ends; the first one has the number `line`.
///
/// Throws `yaml_error`, which says what was expected. Time and memory are linear in the text.
boost::json::object read_yaml(const std::vector<std::string_view>& lines, std::size_t line);

} // namespace partyline::mcp::skills
