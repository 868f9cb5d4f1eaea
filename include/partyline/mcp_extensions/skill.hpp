#pragma once

#include <boost/json/object.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// Gives what the frontmatter of a SKILL.md says: a text in YAML, which is to be one map, without the lines of "---"
/// around it. Throws a `std::exception` where that can't be read. The library reads no YAML itself: this is where a
/// program brings a library that does, see the guide's page "MCP skills". The text may come from whoever serves the
/// skill: the reader has to bound what aliases of it grow to, if it follows any.
///
/// Threads          those that call what reads a SKILL.md, several at a time where these do
using frontmatter_reader = std::function<boost::json::object(std::string_view)>;

// What a server tells of its skills, as a client sees it. Nothing of it is to be trusted.

/// A file of a skill.
struct skill_resource {
    std::string uri;        ///< the URI to read it by; below the skill, with valid file names
    std::string digest;     ///< "sha256:" and 64 hexadecimal digits in lower case
    std::uint64_t size = 0; ///< in bytes
};

/// A skill: a folder with a SKILL.md, which tells a model how something is done. One server's skill is another one than
/// that of another server with the same URI; names need not be unique even within a server.
struct skill {
    std::string uri;  ///< of its SKILL.md; no part between "/" is "." or "..", and there are no control characters
    std::string name; ///< the last folder of the URI; no ".", "..", "/", "\" or control character
    std::string description; ///< what it is for
    /// All that the frontmatter of the SKILL.md says, `name` and `description` among it. What would give a model more
    /// rights, such as `allowed-tools`, has no effect unless the user has agreed.
    boost::json::object frontmatter;
    /// The server makes the skill as it is read: there are no digests, and any file may be there.
    bool is_dynamic = false;
    /// All files, SKILL.md among them; none if it is dynamic. An approval of the user is good for just these.
    std::vector<skill_resource> resources;
    boost::json::object meta; ///< `_meta`
};

} // namespace partyline::mcp
