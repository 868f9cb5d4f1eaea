#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp_extensions/skill.hpp>
#include <partyline/mcp_extensions/skill_errc.hpp>
#include <partyline/session/task.hpp>

#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// The options of a client's skills. 0 for a duration means for ever.
struct client_skills_options {
    /// How long each request may take.
    std::chrono::steady_clock::duration request_timeout = std::chrono::seconds(60);
    /// How many pages a list may have.
    std::size_t max_pages = 1000;
    /// How many bytes of text a list may have.
    std::size_t max_list_bytes = std::size_t(64) << 20;
    /// Reads the frontmatter of a SKILL.md, which `read` then compares with the skill's entry. Unless this is set
    /// `read` does not compare them, and the program has to before it gives the text to a model, as the specification
    /// demands.
    frontmatter_reader read_frontmatter = {};
};

/// Skills that an MCP server has (SEP-2640, `io.modelcontextprotocol/skills`), for the program around a model.
///
///     partyline::task<> use(mcp::client& client, mcp::client_skills skills)
///     {
///         co_await client.start();
///         if (!skills.served())
///             co_return; // this server has no skills
///         for (const mcp::skill& one : co_await skills.list())
///             show(one.name, one.description);
///         const mcp::skill refunds = co_await skills.get("skill://acme/refunds/SKILL.md");
///         const mcp::resource_part text = co_await skills.read(refunds);
///         const mcp::resource_part form = co_await skills.read(refunds, "templates/form.md");
///     }
///
/// A skill is text from a server for a model: the user decides about it, and the program names its source. A digest
/// shows that a file matches its entry, and not that either can be trusted. See the specification's "Security
/// Considerations" for the other duties of the program around a model.
///
/// Each function gives a `task<T>`, which begins when it is awaited, or started by `co_spawn`. For all of them:
///
/// Throws           the error that the server answers as `rpc_error`; `boost::system::system_error` with
///                  client_errc::not_declared: the server does not have the extension; with client_errc::bad_result:
///                  its answer is malformed, and the text names the place; with any other error of `client::request`,
///                  such as errc::timeout, after `client_skills_options::request_timeout` for each request
/// Cancellation     terminal, partial, total: the server is told, and the task throws operation_aborted
/// Before           `client::start` has completed
/// Lifetime         the arguments are copied. This object and the client may be destroyed meanwhile: then operations
///                  under way throw errc::session_closed
/// Threads          any; the task goes on where it is awaited
///
/// Nothing is kept, and no file is read before it is asked for. Copies refer to the same object, and may outlive the
/// client.
/// Thread safety: safe.
class PARTYLINE_EXPORT client_skills {
public:
    /// Declares the extension to the server. Throws `std::logic_error` after `start`, `std::invalid_argument` where it
    /// is declared already.
    explicit client_skills(client& of, client_skills_options options = {});

    /// Whether the server has skills. False before `client::start` has completed, and when the client has gone.
    bool served() const;
    /// Whether its folders can be listed: see `read_directory`.
    bool can_read_directories() const;

    /// Gets the skills that the server lists, page by page. There may be others, which can be got by their URIs.
    ///
    /// Throws           client_errc::endless_list: more pages or bytes than the options have, or a cursor came twice;
    ///                  client_errc::bad_result: an entry is malformed, or a URI came twice, however it is
    ///                  percent-encoded, and no skill is given then. URIs have up to 8192 bytes
    task<std::vector<skill>> list() const;
    /// Gets the skill whose SKILL.md has this URI, whether or not it is listed. `rpc_error` -32602: there is none.
    task<skill> get(std::string_view uri) const;
    /// Reads a file of a skill: its SKILL.md, or the file with a URI, or with a path below the skill as its SKILL.md
    /// names it, "templates/form.md". `read` checks size and digest; a dynamic skill has neither. Where the options
    /// have `read_frontmatter`, `read` also checks that the frontmatter of SKILL.md is that of the skill, each member
    /// of it. Otherwise the frontmatter is not looked at.
    ///
    /// Throws           skill_errc::no_such_file, before anything is asked; wrong_size, wrong_digest: the text says
    ///                  what was expected and what came; wrong_frontmatter: the text names the member that differs, or
    ///                  the line, or has the exception of the reader. A frontmatter has up to 64 KiB
    task<resource_part> read(const skill& of, std::string_view file = "SKILL.md") const;
    /// Lists the contents of a folder of a skill, page by page: files, and folders, whose `mime_type` is
    /// "inode/directory". The listing may be newer than a `skill` that was got before; `read` refuses files that this
    /// `skill` does not list, unless it is dynamic.
    ///
    /// Throws           client_errc::not_declared: the server can't do that, see `can_read_directories`;
    ///                  client_errc::endless_list as `list` does; `rpc_error` -32602: the URI is not that of a folder
    task<std::vector<resource_info>> read_directory(std::string_view uri) const;

private:
    client_extension extension_;
    client_skills_options options_;
};

} // namespace partyline::mcp
