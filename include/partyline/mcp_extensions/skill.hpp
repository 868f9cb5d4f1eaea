#pragma once

#include <boost/json/object.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// Reads the frontmatter of a SKILL.md: a text in YAML, which has to be one map, without the lines of "---" around it.
/// Throws a `std::exception` for a text that can't be read. The library reads no YAML itself: a program passes a
/// function of another library here, see the guide's page "MCP skills". The text may come from the server of the skill:
/// the reader has to bound the size to which its aliases expand, if it follows any.
///
/// Threads          the function is called on the threads that read a SKILL.md, by several at a time where several read
using frontmatter_reader = std::function<boost::json::object(std::string_view)>;

// A server's description of its skills, as a client sees it. None of it can be trusted.

/// A file of a skill.
struct skill_resource {
    std::string uri;        ///< the URI to read it by; below the skill, with valid file names
    std::string digest;     ///< "sha256:" and 64 hexadecimal digits in lower case
    std::uint64_t size = 0; ///< in bytes
};

/// A skill: a folder with a SKILL.md, which tells a model how something is done. Skills of two servers are different
/// skills, also where they have the same URI; names need not be unique even within a server.
struct skill {
    std::string uri;  ///< of its SKILL.md; no part between "/" is "." or "..", and there are no control characters
    std::string name; ///< the last folder of the URI; no ".", "..", "/", "\" or control character
    std::string description; ///< the purpose of the skill
    /// All members of the frontmatter of the SKILL.md, `name` and `description` among them. Members that would give a
    /// model more rights, such as `allowed-tools`, have no effect unless the user has agreed.
    boost::json::object frontmatter;
    /// Whether the server makes the skill as it is read: then there are no digests, and any file may be there.
    bool is_dynamic = false;
    /// All files, SKILL.md among them; none if it is dynamic. An approval of the user covers just these.
    std::vector<skill_resource> resources;
    boost::json::object meta; ///< `_meta`
};

} // namespace partyline::mcp
