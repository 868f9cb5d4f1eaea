#include <partyline/mcp/mirrored_arguments.hpp>

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::string_view mark_name = "x-mcp-header";

// Marks also come from servers elsewhere: beyond these bounds clients drop the tool.
constexpr std::size_t max_fields = 64;
constexpr std::size_t most_path_bytes = 1024;

[[noreturn]] void refuse(std::string_view property, const json::value& mark, const char* expected)
{
    throw std::invalid_argument("the property \"" + std::string(property) + "\" is marked with x-mcp-header " +
                                json::serialize(mark) + ", and " + expected);
}

const json::object* object_in(const json::object& of, std::string_view name)
{
    const json::value* const found = of.if_contains(name);
    return found ? found->if_object() : nullptr;
}

// What the name of a field consists of (RFC 9110 §5.6.2).
bool is_token(std::string_view text)
{
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               others.find(c) != others.npos;
    });
}

bool has_written_type(const json::object& property)
{
    const json::value* const type = property.if_contains("type");
    return type && (*type == "string" || *type == "integer" || *type == "boolean");
}

bool is_same_field(std::string_view one, std::string_view other)
{
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [&](char a, char b) { return small(a) == small(b); });
}

void take_mark(std::string_view name, const json::object& property, const json::value& mark,
               const std::vector<std::string>& path, mirrored_arguments& found)
{
    if (!mark.is_string() || !is_token(mark.get_string()))
        refuse(name, mark, "the name of a field has letters, digits and !#$%&'*+-.^_`|~ alone");
    if (!has_written_type(property))
        refuse(name, mark, "only strings, integers and booleans can stand in a field");
    std::size_t bytes = 0;
    for (const std::string& each : path)
        bytes += each.size();
    if (found.size() == max_fields || bytes > most_path_bytes)
        refuse(name, mark, "a tool has 64 such properties at most, reached by names of 1 KiB together");
    const std::string_view field = mark.get_string();
    if (std::any_of(found.begin(), found.end(), [&](const auto& other) { return is_same_field(other.first, field); }))
        refuse(name, mark, "another property has that mark already");
    found.emplace_back(std::string(field), path);
}

// Schemas are nested no deeper than their text was read.
void find_in(const json::object& schema, std::vector<std::string>& path, mirrored_arguments& found)
{
    const json::object* const properties = object_in(schema, "properties");
    if (!properties)
        return;
    for (const auto& [name, value] : *properties) {
        const json::object* const property = value.if_object();
        if (!property)
            continue;
        path.emplace_back(name);
        if (const json::value* const mark = property->if_contains(mark_name))
            take_mark(name, *property, *mark, path, found);
        find_in(*property, path, found);
        path.pop_back();
    }
}

} // namespace

mirrored_arguments find_mirrored_arguments(const json::object& input_schema)
{
    mirrored_arguments found;
    std::vector<std::string> path;
    find_in(input_schema, path, found);
    return found;
}

} // namespace partyline::mcp
