#include "root_set.hpp"

#include "command_line/file_uri.hpp"
#include "tools/files/path_of_uri.hpp"
#include "tools/tool_error.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace tools {
namespace {

// What follows `folder` in `path`: nothing when that is not beneath it.
std::optional<std::string_view> rest_beneath(std::string_view path, std::string_view folder)
{
    if (folder == "/")
        folder = "";
    if (!path.starts_with(folder))
        return std::nullopt;
    path.remove_prefix(folder.size());
    if (!path.empty() && path.front() != '/')
        return std::nullopt;
    path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
    return path;
}

} // namespace

root_set::root_set(const std::vector<std::string>& paths)
{
    if (paths.empty())
        throw std::invalid_argument("a set of roots has at least one root");
    for (const std::string& path : paths)
        add(root_folder(path));
}

void root_set::add(root_folder folder)
{
    const auto is_same = [&](const named_root& one) { return one.folder.path() == folder.path(); };
    if (std::ranges::any_of(roots_, is_same))
        return;
    const std::string plain(folder.name());
    std::string name = plain;
    for (int number = 2; named(name); ++number)
        name = plain + '-' + std::to_string(number);
    roots_.push_back({std::move(folder), std::move(name)});
}

const root_set::named_root* root_set::named(std::string_view name) const
{
    const auto found = std::ranges::find(roots_, name, &named_root::name);
    return found == roots_.end() ? nullptr : &*found;
}

place root_set::find(std::string_view text) const
{
    if (text.starts_with("file://"))
        return find_absolute(path_of_uri(text));
    if (text.starts_with('/'))
        return find_absolute(text);
    if (roots_.size() == 1)
        return {&roots_.front().folder, std::string(text)};
    const std::string_view name = text.substr(0, text.find('/'));
    const named_root* const root = named(name);
    if (!root)
        throw tool_error(in_quotes(text) + " does not begin with the name of a root, which are " + list());
    text.remove_prefix(std::min(text.find_first_not_of('/', name.size()), text.size()));
    return {&root->folder, std::string(text)};
}

place root_set::find_absolute(std::string_view text) const
{
    place best;
    std::size_t shortest = text.size() + 1;
    for (const named_root& root : roots_) {
        for (const std::string* const path : {&root.folder.path(), &root.folder.given_path()}) {
            const auto rest = rest_beneath(text, *path);
            if (!rest || rest->size() >= shortest)
                continue;
            shortest = rest->size();
            best = {&root.folder, std::string(*rest)};
        }
    }
    if (!best.root)
        throw tool_error(in_quotes(text) + " is outside of the roots, which are " + list());
    return best;
}

std::string root_set::name_of(const place& what) const
{
    std::string name = raw_name_of(what);
    if (partyline::to_valid_utf8(name) == name)
        return name;
    const std::string& root = what.root->path();
    return command_line::file_uri((root == "/" ? "" : root) + '/' + what.path);
}

std::string root_set::raw_name_of(const place& what) const
{
    if (roots_.size() == 1)
        return what.path.empty() ? "." : what.path;
    for (const named_root& root : roots_) {
        if (&root.folder == what.root)
            return what.path.empty() ? root.name : root.name + '/' + what.path;
    }
    throw std::logic_error("this place is in none of the roots");
}

std::string root_set::list() const
{
    std::string text;
    for (const named_root& root : roots_)
        text += (text.empty() ? "" : ", ") + (roots_.size() > 1 ? root.name + " = " : std::string()) +
                in_quotes(root.folder.path());
    return text;
}

} // namespace tools
