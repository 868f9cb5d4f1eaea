#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/mcp_extensions/skill.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::mcp {

namespace skills {

class skill_catalogue;
struct packed_skill;

} // namespace skills

/// The options of `server_skills`.
struct server_skills_options {
    /// Whether clients may list the folders of skills (`resources/directory/read`).
    bool directory_read = true;
    /// Most skills on a page of their list, and most files on a page of a folder. 0: no such bound. A page of skills
    /// has no more than 1 MiB either, unless it is one skill's entry.
    std::size_t page_size = 50;
    /// How long a client may keep lists and entries; from 2026-07-28 on. Not negative.
    std::chrono::milliseconds lifetime = std::chrono::minutes(5);
    /// Whether results have the `cacheScope` "public": then shared caches may serve one client's results to others. The
    /// option grants no access, and has no effect for peers with rights of their own (`request_context::access`), since
    /// others may have fewer rights.
    bool are_public = false;
    /// Reads the frontmatter of a SKILL.md; `add_folder` needs it.
    frontmatter_reader read_frontmatter = {};
};

/// A handle to a skill of a server, to remove the skill. A handle may be copied, and may outlive the server.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT skill_handle {
public:
    skill_handle() = default;

    /// The URI of its SKILL.md, as "skill://acme/refunds/SKILL.md"; empty where there is no skill.
    const std::string& uri() const noexcept { return uri_; }
    /// Removes the skill from the server; its path is free again. Clients that have asked for it are notified that the
    /// resources have changed. A second call does nothing.
    void remove();

private:
    friend class server_skills;
    skill_handle(std::weak_ptr<skills::skill_catalogue> in, const std::shared_ptr<const skills::packed_skill>& which,
                 feature_handle resource);

    std::string uri_;
    std::weak_ptr<skills::skill_catalogue> in_;
    std::weak_ptr<const skills::packed_skill> which_;
    feature_handle resource_;
};

/// Skills of an MCP server (SEP-2640, `io.modelcontextprotocol/skills`): folders with a SKILL.md, which tells a model
/// how something is done, and the files that this needs.
///
///     mcp::server server("billing", "1.0.0");
///     mcp::server_skills skills(server, {.read_frontmatter = read_yaml}); // by a library for YAML
///     skills.add_folder("skills/refunds");                                // skill://refunds/SKILL.md
///     skills.add("acme/greet", {{"name", "greet"}, {"description", "Greets people."}}, "Say hello.\n");
///     return server.run_stdio();
///
/// Clients get the entries of skills by `skills/list` and `skills/get`: the frontmatter of the SKILL.md, and each
/// file's URI, size and SHA-256. The files are resources, which anybody reads by `resources/read`; each SKILL.md is
/// listed among the resources, and the others are read by the template "skill://{+path}". So access to them is judged
/// by their URIs (see the guide's page "Who may call what"). A caller that may call `skills/list` or `skills/get` sees
/// the entries of all skills, including those whose files it may not read. Both methods exist in all revisions of the
/// protocol.
///
/// A skill's files are read once and kept in memory: to load changes from disk, remove the skill and add it again. A
/// folder with a SKILL.md inside a skill is among the skill's files. It is a skill, too, if it is added by itself,
/// under its path; both must have the same files there.
///
/// Bounds: 512 files and 16 MiB a skill, which each client has to accept; folders nested at most 16 deep, and 1024
/// bytes of path; 64 KiB of frontmatter, 1 MiB of it as JSON, with lists and maps nested at most 32 deep. A file is no
/// longer than a reply has room for by the default of `limits::message_bytes`, as a text with its escapes or in Base64:
/// up to some 12 MiB of bytes. Where either side, or a fleet between them, has a lower limit
/// (`session_options::bounds`, `max_message_bytes`), raise that one. The number of skills is not bounded.
///
/// Copies refer to the same skills. The server serves them also after this object is destroyed. The server that this
/// object was made with must exist, and must not be moved, while something is added.
/// Thread safety: all but assigning and destroying may be done from any thread.
class PARTYLINE_EXPORT server_skills {
public:
    /// Adds the extension to the server, without skills. Throws `std::invalid_argument` where the server has it, or has
    /// the template "skill://{+path}", and for a negative lifetime.
    explicit server_skills(server& to, server_skills_options options = {});

    /// Adds a skill whose SKILL.md has this `frontmatter`, with its name and description, and then `text`. `path` is
    /// the place of the skill below "skill://"; its last part is the skill's name. `files` are the other files, by
    /// their paths below the skill: "scripts/check.py". A file that is UTF-8 is sent as text, any other one as bytes.
    ///
    /// SKILL.md is written here: "---", a line of `name: value` for each member, the value as JSON, which is YAML;
    /// "---", an empty line, the text. So it agrees with the entry.
    ///
    /// Throws `std::invalid_argument`, whose text names the problem, its place, and the expected form. Then nothing is
    /// added:
    /// - the frontmatter has no "name" of 1 to 64 of a-z, 0-9 and "-"
    /// - it has no "description" of 1 to 1024 characters
    /// - it has a "compatibility" that is no text of 1 to 500 characters
    /// - it has "metadata" that are no map of texts
    /// - it has a member, at whatever depth, whose name is "", "<<" or longer than 128 bytes, or a value that JSON
    ///   can't express
    /// - a text is not UTF-8, or has a NUL
    /// - a path has "..", is empty, or is taken
    /// - the skill exceeds the bounds
    skill_handle add(std::string path, boost::json::object frontmatter, std::string text,
                     std::map<std::string, std::string> files = {});
    /// Adds the skill that is in a folder, whose name is the skill's: its SKILL.md, and all other files there and in
    /// folders below. Names that begin with "." are skipped. `prefix` stands in front of the name: "acme" makes
    /// skill://acme/refunds/SKILL.md. Blocks while it reads. The options have `read_frontmatter`, which gets the text
    /// of SKILL.md between a first line "---" and the next one.
    ///
    /// Throws as `add` does, but for names of members, and `std::invalid_argument` for a SKILL.md that has no
    /// frontmatter, with the line, or one that can't be read, with the text of the reader's exception; for a control
    /// character in it, or a character that ends a line in some versions of YAML alone (U+0085, U+2028, U+2029); and
    /// for an entry of the folder that is neither a file nor a folder, such as a symbolic link (`folder` itself may be
    /// one). `boost::system::system_error`: a file or a folder can't be read; the text names its path.
    skill_handle add_folder(const std::filesystem::path& folder, std::string_view prefix = {});

private:
    skill_handle insert(std::shared_ptr<const skills::packed_skill> added);

    server* to_;
    std::shared_ptr<skills::skill_catalogue> skills_;
    frontmatter_reader read_frontmatter_;
};

} // namespace partyline::mcp
