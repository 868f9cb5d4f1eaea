#pragma once

#include <partyline/mcp_extensions/skill.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// Why the frontmatter of a SKILL.md can't be read. Of what is not the reader's to say it names the line of the file.
class frontmatter_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// How many bytes the frontmatter may have.
inline constexpr std::size_t max_frontmatter = std::size_t(64) << 10;

/// The YAML in front of a SKILL.md, between lines of "---". It is UTF-8, and each of its lines is one for whoever reads
/// it: it ends by LF or CRLF, and has nothing else that YAML, in one version or another, takes for the end of a line,
/// and no control characters but tabs. Throws `frontmatter_error`.
std::string_view find_frontmatter(std::string_view file);
/// What that says, by the program's reader. Throws `frontmatter_error`, of what the reader throws its text.
boost::json::object read_frontmatter(std::string_view file, const frontmatter_reader& reader);
/// Whether a text in YAML has this character only by an escape: see `find_frontmatter`.
bool needs_escape(char32_t c) noexcept;

/// Why this can't be the frontmatter of a skill: a name, a description of 1 to 1024 characters, a compatibility of 1 to
/// 500 and a map of texts as metadata, if there are any, and nothing that JSON can't say or that is too deep or too
/// long. Empty: it can.
std::string frontmatter_problem(const boost::json::object& frontmatter);

/// Where the two say different things, as "metadata.version"; nothing where they are the same: objects in whatever
/// order, numbers by what they are worth. Of each name no more than errors show.
std::optional<std::string> find_difference(const boost::json::object& one, const boost::json::object& other);

} // namespace partyline::mcp::skills
