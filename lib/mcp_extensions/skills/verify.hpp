#pragma once

#include <partyline/mcp_extensions/skill.hpp>

#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// What is asked for, where a file of a skill is to be read.
struct wanted_file {
    std::string uri;                        ///< as the skill has it, or for a dynamic one as it was given
    const skill_resource* listed = nullptr; ///< in the skill; null for a dynamic one
    bool is_entry_file = false;
};

/// Finds a file by a URI or a path below the skill. Throws `boost::system::system_error` with skill_errc::no_such_file.
wanted_file find_file(const skill& in, std::string_view file);
/// Throws `boost::system::system_error` with a `skill_errc` where these bytes are not what the skill says. Without a
/// reader the frontmatter of SKILL.md is not looked at.
void verify(const skill& of, const wanted_file& what, std::string_view bytes, const frontmatter_reader& reader);

} // namespace partyline::mcp::skills
