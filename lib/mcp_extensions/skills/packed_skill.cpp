#include "mcp_extensions/skills/packed_skill.hpp"

#include "mcp_extensions/skills/digest.hpp"
#include "mcp_extensions/skills/frontmatter.hpp"
#include "mcp_extensions/skills/mime_type.hpp"
#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"
#include "mcp_extensions/skills/utf8.hpp"
#include "mcp_extensions/skills/write_frontmatter.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

bool is_text(std::string_view bytes)
{
    return is_utf8(bytes) && bytes.find('\0') == std::string_view::npos;
}

[[noreturn]] void refuse(const std::string& place, const std::string& why)
{
    throw std::invalid_argument("skill " + place + ": " + why);
}

void check_path(const std::string& path, const std::string& place)
{
    if (const std::string problem = path_problem(path); !problem.empty())
        refuse(place, problem);
}

void check_file(const std::string& path, const std::string& below, std::string_view content, const std::string& place)
{
    const std::string named = "the file \"" + shown_path(below) + "\"";
    if (const std::string problem = path_problem(path + "/" + below); !problem.empty())
        refuse(place, named + ": " + problem);
    if (static_cast<std::size_t>(std::count(below.begin(), below.end(), '/')) > max_depth)
        refuse(place, named + " is in more than " + std::to_string(max_depth) + " folders");
    if (const std::size_t size = size_in_reply(content); size > max_size_in_reply)
        refuse(place, named + " takes " + std::to_string(size) + " bytes in a reply, which has room for " +
                          std::to_string(max_size_in_reply));
}

// Models are given it as a text; one with a NUL is sent as bytes.
void check_entry_file(std::string_view content, const std::string& place)
{
    if (is_text(content))
        return;
    std::size_t number = 1;
    for (; is_text(content.substr(0, content.find('\n'))); ++number)
        content.remove_prefix(content.find('\n') + 1);
    refuse(place + "/SKILL.md", "line " + std::to_string(number) + ": expected UTF-8 without NUL");
}

void check_files(const std::string& path, const file_map& files, const std::string& place)
{
    std::size_t bytes = 0;
    for (const auto& [below, content] : files)
        bytes += content.size();
    if (files.size() > max_files || bytes > max_bytes)
        refuse(place, "it has " + std::to_string(files.size()) + " files of " + std::to_string(bytes) +
                          " bytes; a client need not take more than 512 of 16777216");
    if (!files.contains(std::string(entry_file)))
        refuse(place, "there is no SKILL.md");
    check_entry_file(files.at(std::string(entry_file)), place);
    for (const auto& [below, content] : files)
        check_file(path, below, content, place);
}

void check_frontmatter(const json::object& frontmatter, const std::string& path, const std::string& place)
{
    const std::string file_place = place + "/SKILL.md";
    if (const std::string problem = frontmatter_problem(frontmatter); !problem.empty())
        refuse(file_place, problem);
    const std::string_view name = frontmatter.at("name").get_string();
    if (name != last_segment(path))
        refuse(file_place, "\"name\" is \"" + shown(name) + "\", expected the name of the folder, \"" +
                               shown(last_segment(path)) + "\"");
}

// What is written is read as anybody else's is, so that nothing is served that a client of ours refuses.
std::string write_entry_file(const json::object& frontmatter, std::string_view text, const std::string& place)
{
    try {
        std::string file = write_frontmatter(frontmatter);
        file.append("\n").append(text);
        find_frontmatter(file);
        return file;
    } catch (const std::invalid_argument& wrong) {
        refuse(place + "/SKILL.md", wrong.what());
    } catch (const frontmatter_error& wrong) {
        refuse(place + "/SKILL.md", wrong.what());
    }
}

json::object read_entry_file(const std::string& file, const frontmatter_reader& reader, const std::string& place)
{
    try {
        return read_frontmatter(file, reader);
    } catch (const frontmatter_error& wrong) {
        refuse(place + "/SKILL.md", wrong.what());
    }
}

file_ptr pack_file(const std::string& path, std::string bytes)
{
    packed_file made;
    made.is_text = is_text(bytes);
    made.digest = digest_of(bytes);
    made.mime_type = mime_type_of(path, made.is_text);
    made.bytes = std::move(bytes);
    return std::make_shared<const packed_file>(std::move(made));
}

// Notes the path in its folder, and the folders above it up to that of the skill in theirs.
void add_to_folders(packed_skill& to, std::string path)
{
    while (path.size() > to.path.size()) {
        std::string folder(parent_of(path));
        std::vector<std::string>& children = to.folders[folder];
        if (!children.empty() && children.back() == path)
            return; // what is below it came before
        children.push_back(std::move(path));
        path = std::move(folder);
    }
}

// A path may be that of a file and of a folder in a map, and in no folder.
void check_folders(const packed_skill& of, const std::string& place)
{
    for (const auto& [folder, children] : of.folders)
        if (of.files.contains(folder))
            refuse(place, "\"" + shown_path(folder) + "\" is both a file and a folder");
}

json::object entry_of(const packed_skill& of, json::object frontmatter)
{
    json::array resources;
    for (const auto& [path, file] : of.files)
        resources.push_back(
            json::object{{"uri", uri_of(path)}, {"digest", file->digest}, {"size", file->bytes.size()}});
    return json::object{{"uri", of.uri}, {"frontmatter", std::move(frontmatter)}, {"resources", std::move(resources)}};
}

// All of it has been checked.
skill_ptr pack_skill(const std::string& path, json::object frontmatter, file_map files, const std::string& place)
{
    packed_skill made;
    made.path = path;
    made.uri = uri_of(path + "/" + std::string(entry_file));
    made.name = frontmatter.at("name").get_string();
    made.description = frontmatter.at("description").get_string();
    for (auto& [below, bytes] : files) {
        std::string whole = path + "/" + below;
        add_to_folders(made, whole);
        file_ptr packed = pack_file(below, std::move(bytes));
        made.files.emplace(std::move(whole), std::move(packed));
    }
    for (auto& [folder, children] : made.folders)
        std::sort(children.begin(), children.end());
    check_folders(made, place);
    made.entry = entry_of(made, std::move(frontmatter));
    byte_buffer written;
    write_value(written, made.entry, limits().depth);
    made.entry_bytes = written.size();
    return std::make_shared<const packed_skill>(std::move(made));
}

} // namespace

std::size_t size_in_reply(std::string_view bytes)
{
    if (!is_text(bytes))
        return (bytes.size() + 2) / 3 * 4;
    const auto escape_of = [](char c) -> std::size_t {
        if (c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t')
            return 1;
        return static_cast<unsigned char>(c) < 0x20 ? 5 : 0;
    };
    std::size_t size = bytes.size();
    for (const char c : bytes)
        size += escape_of(c);
    return size;
}

resource_contents packed_file::contents() const
{
    if (is_text)
        return text_resource{bytes, mime_type};
    return blob_resource{bytes, mime_type};
}

skill_ptr write_skill(const std::string& path, json::object frontmatter, std::string_view text, file_map files)
{
    const std::string place = shown_path(path);
    check_path(path, place);
    check_frontmatter(frontmatter, path, place);
    if (!files.emplace(entry_file, write_entry_file(frontmatter, text, place)).second)
        refuse(place, "SKILL.md is made of the frontmatter and the text; expected other files");
    check_files(path, files, place);
    return pack_skill(path, std::move(frontmatter), std::move(files), place);
}

skill_ptr read_skill(const std::string& path, file_map files, const frontmatter_reader& reader, std::string_view named)
{
    const std::string place = shown_path(named);
    check_path(path, place);
    check_files(path, files, place);
    json::object frontmatter = read_entry_file(files.at(std::string(entry_file)), reader, place);
    check_frontmatter(frontmatter, path, place);
    return pack_skill(path, std::move(frontmatter), std::move(files), place);
}

} // namespace partyline::mcp::skills
