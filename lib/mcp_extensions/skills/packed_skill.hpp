#pragma once

#include <partyline/mcp/content.hpp>
#include <partyline/mcp_extensions/skill.hpp>
#include <partyline/protocol/limits.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::skills {

// What each host has to take (SEP-2640, "Limits").
inline constexpr std::size_t max_files = 512;
inline constexpr std::size_t max_bytes = std::size_t(16) << 20;
/// Folders in each other below a skill.
inline constexpr std::size_t max_depth = 16;

/// What a reply has room for beside the names and URI of a file, and its own id.
inline constexpr std::size_t max_size_in_reply = limits().message_bytes - (std::size_t(64) << 10);
/// How many bytes a file takes there: in Base64, or as a text with its escapes.
std::size_t size_in_reply(std::string_view bytes);

/// The files of a skill by their paths below it.
using file_map = std::map<std::string, std::string>;

/// A file of a skill.
struct packed_file {
    std::string bytes;
    std::string digest;
    std::string mime_type;
    bool is_text; ///< UTF-8, as which it is sent then

    resource_contents contents() const;
};
using file_ptr = std::shared_ptr<const packed_file>;

/// A skill as it is served. It does not change.
struct packed_skill {
    std::string path; ///< below "skill://", without "/SKILL.md"
    std::string uri;  ///< of its SKILL.md
    std::string name;
    std::string description;
    boost::json::value entry;                                             ///< of `skills/list`
    std::size_t entry_bytes = 0;                                          ///< of that as JSON
    std::map<std::string, file_ptr, std::less<>> files;                   ///< by their paths below "skill://"
    std::map<std::string, std::vector<std::string>, std::less<>> folders; ///< the paths in each, sorted; by its path
};

using skill_ptr = std::shared_ptr<const packed_skill>;

// Both throw `std::invalid_argument`, which says what is wrong, in which file and line, and what was expected.

/// Makes a skill of what its SKILL.md is to say, which is written here, and its other files.
skill_ptr write_skill(const std::string& path, boost::json::object frontmatter, std::string_view text, file_map files);
/// Makes a skill of its files, SKILL.md among them. `named`: what errors name it by, in front of "/SKILL.md".
skill_ptr read_skill(const std::string& path, file_map files, const frontmatter_reader& reader, std::string_view named);

} // namespace partyline::mcp::skills
