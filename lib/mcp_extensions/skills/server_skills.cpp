#include <partyline/mcp_extensions/server_skills.hpp>

#include "mcp_extensions/skills/packed_skill.hpp"
#include "mcp_extensions/skills/read_folder.hpp"
#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_catalogue.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"

#include <partyline/mcp/content.hpp>
#include <partyline/mcp/server/requester.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp {
namespace skills {
namespace {

/// What the template's variable is.
struct skill_file_path {
    std::string path;
};
BOOST_DESCRIBE_STRUCT(skill_file_path, (), (path))

using catalogue_ptr = std::shared_ptr<const skill_catalogue>;

std::vector<resource_contents> read_file(const catalogue_ptr& in, const skill_file_path& of)
{
    const file_ptr found = in->find_file(of.path);
    if (!found)
        throw resource_not_found();
    return {found->contents()};
}

// From 2026-07-28 on a result says for how long it is good.
json::object with_lifetime(json::object result, const server_skills_options& how, const request_context& rpc)
{
    if (requester(rpc).era() == era::modern) {
        result.emplace("ttlMs", how.lifetime.count());
        result.emplace("cacheScope", how.are_public && !rpc.access() ? "public" : "private");
    }
    return result;
}

json::object list_result(const char* name, list_part part)
{
    json::object result;
    result.emplace(name, std::move(part.items));
    if (part.next_cursor)
        result.emplace("nextCursor", *std::move(part.next_cursor));
    return result;
}

method_table make_methods(const catalogue_ptr& in, const server_skills_options& how)
{
    method_table methods;
    methods.add("skills/list",
                [in, how](request_context& rpc, const std::optional<std::string>& cursor) {
                    return with_lifetime(list_result("skills", in->list(cursor)), how, rpc);
                },
                {"cursor"});
    methods.add("skills/get",
                [in, how](request_context& rpc, const std::string& uri) {
                    return with_lifetime(json::object{{"skill", in->get(uri)}}, how, rpc);
                },
                {"uri"});
    if (how.directory_read)
        methods.add("resources/directory/read",
                    [in, how](request_context& rpc, const std::string& uri, const std::optional<std::string>& cursor) {
                        return with_lifetime(list_result("resources", in->read_folder(uri, cursor)), how, rpc);
                    },
                    {"uri", "cursor"});
    return methods;
}

// A folder that is named as "." or "a/" has a name all the same.
std::string name_of(const std::filesystem::path& folder)
{
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(folder, failed).lexically_normal();
    if (failed) // there is no path, or no working directory
        throw boost::system::system_error(boost::system::error_code(failed.value(), boost::system::system_category()),
                                          "the folder \"" + shown_path(folder.string()) + "\"");
    return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

} // namespace
} // namespace skills

skill_handle::skill_handle(std::weak_ptr<skills::skill_catalogue> in,
                           const std::shared_ptr<const skills::packed_skill>& which, feature_handle resource)
    : uri_(which->uri), in_(std::move(in)), which_(which), resource_(std::move(resource))
{
}

void skill_handle::remove()
{
    const std::shared_ptr<skills::skill_catalogue> in = in_.lock();
    const std::shared_ptr<const skills::packed_skill> which = which_.lock();
    if (in && which)
        in->remove(which);
    resource_.remove();
}

server_skills::server_skills(server& to, server_skills_options options)
    : to_(&to), skills_(std::make_shared<skills::skill_catalogue>(options.page_size)),
      read_frontmatter_(options.read_frontmatter)
{
    if (options.lifetime.count() < 0)
        throw std::invalid_argument("server_skills_options::lifetime is " + std::to_string(options.lifetime.count()) +
                                    " ms; expected 0 or more");
    const skills::catalogue_ptr in = skills_;
    json::object settings;
    if (options.directory_read)
        settings.emplace("directoryRead", true);
    feature_handle files =
        to.add_resource_template("skill://{+path}", "skill file", "A file of a skill",
                                 [in](const skills::skill_file_path& of) { return skills::read_file(in, of); });
    try {
        to.add_extension("io.modelcontextprotocol/skills", std::move(settings), skills::make_methods(in, options));
    } catch (...) {
        files.remove();
        throw;
    }
}

skill_handle server_skills::add(std::string path, json::object frontmatter, std::string text,
                                std::map<std::string, std::string> files)
{
    return insert(skills::write_skill(path, std::move(frontmatter), text, std::move(files)));
}

skill_handle server_skills::add_folder(const std::filesystem::path& folder, std::string_view prefix)
{
    if (!read_frontmatter_)
        throw std::invalid_argument("server_skills_options::read_frontmatter is not set, which reads " +
                                    skills::shown_path((folder / "SKILL.md").string()));
    std::string path(prefix);
    path.append(path.empty() ? "" : "/").append(skills::name_of(folder));
    return insert(skills::read_skill(path, skills::read_folder(folder), read_frontmatter_, folder.string()));
}

// The resource is what tells clients that there is another one, or one less. It comes last: nothing throws behind it.
skill_handle server_skills::insert(std::shared_ptr<const skills::packed_skill> added)
{
    skill_handle made(skills_, added, {});
    skills_->add(added);
    try {
        resource_options about;
        about.mime_type = "text/markdown";
        const skills::file_ptr file = added->files.find(added->path + "/SKILL.md")->second;
        about.size = file->bytes.size();
        const auto read = [file] { return std::vector<resource_contents>{file->contents()}; };
        made.resource_ = to_->add_resource(added->uri, added->name, added->description, read, about);
        return made;
    } catch (...) {
        skills_->remove(added);
        throw;
    }
}

} // namespace partyline::mcp
