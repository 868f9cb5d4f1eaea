#include "mcp_extensions/skills/read_entry.hpp"

#include "mcp_extensions/skills/digest.hpp"
#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"
#include "mcp_extensions/skills/utf8.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/error.hpp>

#include <boost/json/array.hpp>
#include <boost/system/system_error.hpp>

#include <set>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

const json::object& as_object(const json::value& value, const std::string& place)
{
    const json::object* const found = value.if_object();
    if (!found)
        refuse_answer(place, "expected an object");
    return *found;
}

const json::object& object_in(const json::object& in, std::string_view key, const std::string& place)
{
    const std::string here = place + "." + std::string(key);
    const json::value* const found = in.if_contains(key);
    if (!found)
        refuse_answer(here, "expected an object");
    return as_object(*found, here);
}

// Empty where it is left out.
std::string optional_text_in(const json::object& in, std::string_view key, const std::string& place)
{
    const json::value* const found = in.if_contains(key);
    if (!found)
        return {};
    if (!found->is_string())
        refuse_answer(place + "." + std::string(key), "expected a string");
    return std::string(found->get_string());
}

std::string text_in(const json::object& in, std::string_view key, const std::string& place)
{
    std::string text = optional_text_in(in, key, place);
    if (text.empty())
        refuse_answer(place + "." + std::string(key), "expected a string that is not empty");
    return text;
}

// Text that came is UTF-8.
std::string checked_uri_in(const json::object& in, const std::string& place)
{
    std::string uri = text_in(in, "uri", place);
    if (uri.size() > max_uri)
        refuse_answer(place + ".uri",
                      "expected up to " + std::to_string(max_uri) + " bytes, got " + std::to_string(uri.size()));
    for (std::string_view rest = uri; !rest.empty();)
        if (is_control(take_code_point(rest)))
            refuse_answer(place + ".uri", "expected no control characters, got " + shown(uri));
    return uri;
}

std::optional<std::uint64_t> size_in(const json::object& in, const std::string& place)
{
    const json::value* const found = in.if_contains("size");
    if (!found)
        return std::nullopt;
    boost::system::error_code failed;
    const auto size = found->is_number() ? found->to_number<std::uint64_t>(failed) : 0;
    if (!found->is_number() || failed)
        refuse_answer(place + ".size", "expected a number of bytes");
    return size;
}

json::object meta_in(const json::object& in)
{
    const json::value* const found = in.if_contains("_meta");
    return found && found->is_object() ? found->get_object() : json::object();
}

skill_resource read_file(const json::value& value, const std::string& place)
{
    const json::object& file = as_object(value, place);
    skill_resource read;
    read.uri = checked_uri_in(file, place);
    read.digest = text_in(file, "digest", place);
    if (!is_digest(read.digest))
        refuse_answer(place + ".digest", "expected \"sha256:\" and 64 hexadecimal digits in lower case");
    const std::optional<std::uint64_t> size = size_in(file, place);
    if (!size)
        refuse_answer(place + ".size", "expected a number of bytes");
    read.size = *size;
    return read;
}

void read_files(const json::array& from, skill& into, const std::string& place)
{
    std::set<std::string> seen;
    bool has_entry_file = false;
    for (const json::value& each : from) {
        const std::string here = place + "[" + std::to_string(into.resources.size()) + "]";
        skill_resource file = read_file(each, here);
        std::optional<std::string> key = key_of_uri(into.uri, file.uri);
        if (!key)
            refuse_answer(here + ".uri", "expected a file below " + shown(into.uri) + ", got " + shown(file.uri));
        if (!has_file_names(*key))
            refuse_answer(here + ".uri", "expected names that a file and its folders can have, got " + shown(file.uri));
        if (!seen.insert(*std::move(key)).second)
            refuse_answer(here + ".uri", shown(file.uri) + " is there twice");
        has_entry_file = has_entry_file || file.uri == into.uri;
        into.resources.push_back(std::move(file));
    }
    if (!has_entry_file)
        refuse_answer(place, "expected " + shown(into.uri) + " among the files");
}

void read_resources(const json::object& entry, skill& into, const std::string& place)
{
    const json::value* const found = entry.if_contains("resources");
    if (found && found->is_array())
        return read_files(found->get_array(), into, place + ".resources");
    if (!found || !found->is_string() || found->get_string() != "dynamic")
        refuse_answer(place + ".resources", "expected a list, or \"dynamic\"");
    into.is_dynamic = true;
}

// The one of this URI, in whatever spelling; null where there is none.
const json::object* find_part(const json::array& parts, std::string_view uri, const std::string& place)
{
    const std::optional<std::string> key = spelling_key(uri);
    for (const json::value& each : parts) {
        const json::object& part = as_object(each, place);
        const json::value* const found = part.if_contains("uri");
        const json::string* const other = found ? found->if_string() : nullptr;
        if (other && (*other == uri || (key && spelling_key(*other) == key)))
            return &part;
    }
    return nullptr;
}

// Programs make paths of names, and know skills by their URIs. Else both are as the server has them, which may have
// other rules than ours.
void check_place(const skill& of, const std::string& place)
{
    if (!root_of(of.uri))
        refuse_answer(place + ".uri", "expected the URI of a SKILL.md in a folder, got " + shown(of.uri));
    if (!is_file_name(of.name))
        refuse_answer(place + ".frontmatter.name", "expected a name that a folder can have");
    if (name_in(of.uri) != of.name)
        refuse_answer(place + ".frontmatter.name",
                      "expected the last folder of " + shown(of.uri) + ", got " + shown(of.name));
    if (!spelling_key(of.uri))
        refuse_answer(place + ".uri",
                      "expected two digits behind each \"%\", and no \".\" or \"..\" between \"/\", got " +
                          shown(of.uri));
}

} // namespace

void refuse_answer(const std::string& place, const std::string& why)
{
    throw boost::system::system_error(make_error_code(client_errc::bad_result), place + ": " + why);
}

json::object read_object(const json_text& result, const std::string& place)
{
    try {
        json::value read = result.to_value();
        as_object(read, place);
        return std::move(read.get_object());
    } catch (const rpc_error& refused) { // numbers that are too large, names that collide
        refuse_answer(place, shown(refused.what()));
    }
}

const json::array& list_in(const json::object& result, std::string_view key, const std::string& place)
{
    const json::value* const found = result.if_contains(key);
    if (!found || !found->is_array())
        refuse_answer(place + ": " + std::string(key), "expected a list");
    return found->get_array();
}

std::optional<std::string> next_cursor_in(const json::object& result, const std::string& place)
{
    const json::value* const found = result.if_contains("nextCursor");
    if (!found || found->is_null())
        return std::nullopt;
    if (!found->is_string())
        refuse_answer(place + ": nextCursor", "expected a string");
    return std::string(found->get_string());
}

skill read_entry(const json::value& value, const std::string& place)
{
    const json::object& entry = as_object(value, place);
    skill read;
    read.uri = checked_uri_in(entry, place);
    read.frontmatter = object_in(entry, "frontmatter", place);
    read.name = text_in(read.frontmatter, "name", place + ".frontmatter");
    read.description = text_in(read.frontmatter, "description", place + ".frontmatter");
    check_place(read, place);
    read_resources(entry, read, place);
    read.meta = meta_in(entry);
    return read;
}

resource_info read_child(const json::value& value, const std::string& place)
{
    const json::object& child = as_object(value, place);
    resource_info read;
    read.uri = checked_uri_in(child, place);
    read.name = text_in(child, "name", place);
    read.title = optional_text_in(child, "title", place);
    read.description = optional_text_in(child, "description", place);
    read.mime_type = optional_text_in(child, "mimeType", place);
    read.size = size_in(child, place);
    read.raw = child;
    return read;
}

resource_part read_contents(const json::object& result, std::string_view uri, const std::string& place)
{
    const std::string here = place + ": contents";
    const json::object* const part = find_part(list_in(result, "contents", place), uri, here);
    if (!part)
        refuse_answer(here, "expected a part with the URI " + shown(uri));
    resource_part read;
    read.uri = uri;
    read.mime_type = optional_text_in(*part, "mimeType", here);
    read.meta = meta_in(*part);
    read.is_binary = part->contains("blob");
    read.data = optional_text_in(*part, read.is_binary ? "blob" : "text", here);
    if (!read.is_binary && !part->contains("text"))
        refuse_answer(here, "expected \"text\" or \"blob\"");
    if (read.is_binary) {
        const std::string encoded = std::move(read.data);
        if (!decode_base64(encoded, read.data))
            refuse_answer(here + ".blob", "expected Base64");
    }
    return read;
}

} // namespace partyline::mcp::skills
