#include "mcp_extensions/skills/skill_catalogue.hpp"

#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"

#include <partyline/protocol/error.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

[[noreturn]] void refuse_params(const std::string& what)
{
    throw rpc_error(partyline::error_codes::invalid_params, what);
}

// Whether both have the same files in the folder of the inner one.
bool have_same_files(const packed_skill& outer, const packed_skill& inner)
{
    const std::string front = inner.path + "/";
    auto at = outer.files.lower_bound(front);
    for (const auto& [path, file] : inner.files) {
        if (at == outer.files.end() || at->first != path || at->second->digest != file->digest)
            return false;
        ++at;
    }
    return at == outer.files.end() || !at->first.starts_with(front);
}

void check_same_files(const packed_skill& outer, const packed_skill& inner)
{
    if (!have_same_files(outer, inner))
        throw std::invalid_argument("skill " + shown_path(inner.path) + ": the skill " + shown_path(outer.path) +
                                    " around it has other files in that folder; expected the same");
}

// The path that a cursor goes on after. The cursors of skills are URIs of SKILL.md, and all name something of ours.
std::string path_behind(const std::string& cursor)
{
    const std::optional<std::string> path = path_of(cursor);
    if (!path || !path_problem(*path).empty())
        refuse_params("the cursor is none of this list");
    return *path;
}

json::object describe(const std::string& path, const file_ptr& file)
{
    const std::string_view name = last_segment(path);
    if (!file)
        return {{"uri", uri_of(path)}, {"name", name}, {"mimeType", "inode/directory"}};
    return {{"uri", uri_of(path)}, {"name", name}, {"mimeType", file->mime_type}, {"size", file->bytes.size()}};
}

json::object describe(const std::string& path, const packed_skill& of)
{
    const auto found = of.files.find(path);
    json::object made = describe(path, found == of.files.end() ? nullptr : found->second);
    if (path.size() == of.path.size() + 1 + entry_file.size() && path.ends_with(entry_file)) {
        made["name"] = of.name; // as the resource has it that it is
        made["description"] = of.description;
    }
    return made;
}

} // namespace

void skill_catalogue::add(skill_ptr added)
{
    const std::lock_guard lock(mutex_);
    if (skills_.contains(added->path))
        throw std::invalid_argument("skill " + shown_path(added->path) + ": there is one of that path already");
    check_nested(*added);
    std::string path = added->path;
    skills_.emplace(std::move(path), std::move(added));
}

void skill_catalogue::remove(const skill_ptr& removed) noexcept
{
    const std::lock_guard lock(mutex_);
    const auto found = skills_.find(removed->path);
    if (found != skills_.end() && found->second == removed)
        skills_.erase(found);
}

// Those around it are few, one a folder above; those within stand in a row.
void skill_catalogue::check_nested(const packed_skill& added) const
{
    for (std::string_view above = parent_of(added.path); !above.empty(); above = parent_of(above))
        if (const auto found = skills_.find(above); found != skills_.end())
            check_same_files(*found->second, added);
    const std::string front = added.path + "/";
    for (auto at = skills_.lower_bound(front); at != skills_.end() && at->first.starts_with(front); ++at)
        check_same_files(added, *at->second);
}

skill_catalogue::skill_page skill_catalogue::page_after(std::string_view path) const
{
    const std::lock_guard lock(mutex_);
    skill_page made;
    std::size_t bytes = 0;
    for (auto at = skills_.upper_bound(path); at != skills_.end(); ++at) {
        bytes += at->second->entry_bytes;
        const bool is_full = made.skills.size() == page_size_ || bytes > max_page_bytes;
        if (is_full && !made.skills.empty())
            return made;
        made.skills.push_back(at->second);
    }
    made.is_last = true;
    return made;
}

list_part skill_catalogue::list(const std::optional<std::string>& cursor) const
{
    const std::string behind = cursor ? path_behind(*cursor) : std::string();
    if (cursor && (last_segment(behind) != entry_file || parent_of(behind).empty()))
        refuse_params("the cursor is none of this list");
    const skill_page page = page_after(parent_of(behind));
    list_part made;
    if (!page.is_last)
        made.next_cursor = page.skills.back()->uri;
    for (const skill_ptr& one : page.skills)
        made.items.push_back(one->entry);
    return made;
}

json::value skill_catalogue::get(std::string_view uri) const
{
    const std::optional<std::string> path = path_of(uri);
    skill_ptr one;
    if (path && last_segment(*path) == entry_file) {
        const std::lock_guard lock(mutex_);
        if (const auto found = skills_.find(parent_of(*path)); found != skills_.end())
            one = found->second;
    }
    if (!one)
        refuse_params("there is no skill " + shown(uri));
    return one->entry;
}

// The innermost skill around what has this path, or that is there itself. Each "/" is a look-up, so paths are bounded.
skill_ptr skill_catalogue::find_around(std::string_view path) const
{
    if (path.size() > max_path)
        return nullptr;
    for (; !path.empty(); path = parent_of(path))
        if (const auto found = skills_.find(path); found != skills_.end())
            return found->second;
    return nullptr;
}

skill_ptr skill_catalogue::find_folder(std::string_view path) const
{
    const std::lock_guard lock(mutex_);
    skill_ptr found = find_around(path);
    return found && found->folders.contains(path) ? found : nullptr;
}

file_ptr skill_catalogue::find_file(std::string_view path) const
{
    const std::lock_guard lock(mutex_);
    const skill_ptr around = find_around(path);
    if (!around)
        return nullptr;
    const auto found = around->files.find(path);
    return found == around->files.end() ? nullptr : found->second;
}

list_part skill_catalogue::read_folder(std::string_view uri, const std::optional<std::string>& cursor) const
{
    const std::optional<std::string> path = path_of(uri);
    const skill_ptr of = path ? find_folder(*path) : nullptr;
    if (!of)
        refuse_params(shown(uri) + " is no folder of a skill");
    const std::string behind = cursor ? path_behind(*cursor) : std::string();
    if (cursor && (parent_of(behind) != *path))
        refuse_params("the cursor is none of this folder");
    const std::vector<std::string>& children = of->folders.find(*path)->second;
    auto at = std::upper_bound(children.begin(), children.end(), behind);
    list_part made;
    for (; at != children.end() && (page_size_ == 0 || made.items.size() != page_size_); ++at)
        made.items.push_back(describe(*at, *of));
    if (at != children.end())
        made.next_cursor = uri_of(*std::prev(at));
    return made;
}

} // namespace partyline::mcp::skills
