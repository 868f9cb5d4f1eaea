#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline::mcp {

/// Reasons why a file of a skill must not be used: the file does not match the skill's entry. The skill may have
/// changed since: `client_skills::get` returns it as it is now, and the user has to approve it again.
enum class skill_errc {
    /// The skill has no such file.
    no_such_file = 1,
    /// The file has another size.
    wrong_size,
    /// The file has another digest.
    wrong_digest,
    /// The frontmatter of SKILL.md can't be read, or differs from the entry: see
    /// `client_skills_options::read_frontmatter`.
    wrong_frontmatter,
};

/// The category of the codes of `skill_errc`.
PARTYLINE_EXPORT const boost::system::error_category& skill_category() noexcept;

/// Makes an `error_code`; a `skill_errc` converts to one implicitly.
inline error_code make_error_code(skill_errc e) noexcept
{
    return {static_cast<int>(e), skill_category()};
}

} // namespace partyline::mcp

template <>
struct boost::system::is_error_code_enum<partyline::mcp::skill_errc> : std::true_type {};
