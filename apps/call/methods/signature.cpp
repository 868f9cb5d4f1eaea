#include "signature.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace json = boost::json;

namespace call {
namespace {

using partyline::printable;

const json::array* array_of(const json::value* value)
{
    return value ? value->if_array() : nullptr;
}

// Names of alternatives, of which a long list is cut.
std::string alternatives(const json::array& all)
{
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i != std::min(all.size(), most); ++i)
        text.append(i ? "|" : "").append(json_words(all[i]));
    return all.size() > most ? text + "|..." : text;
}

// Where the texts begin: behind the signatures, but for some that are too long.
std::size_t column_of(const std::vector<signature_line>& lines)
{
    constexpr std::size_t most = 48;
    std::size_t column = 0;
    for (const signature_line& each : lines)
        if (each.signature.size() <= most)
            column = std::max(column, each.signature.size());
    return column + 2;
}

} // namespace

const json::value* find_member(const json::value* of, std::string_view name)
{
    const json::object* const object = of ? of->if_object() : nullptr;
    return object ? object->if_contains(name) : nullptr;
}

std::string text_of(const json::value* value)
{
    const json::string* const text = value ? value->if_string() : nullptr;
    return text ? printable(std::string_view(*text)) : std::string();
}

std::string json_words(const json::value& value)
{
    partyline::byte_buffer out;
    write_value(out, value, std::numeric_limits<std::size_t>::max());
    return printable(out.view());
}

std::string type_of(const json::value* schema)
{
    if (const json::array* const values = array_of(find_member(schema, "enum")))
        return alternatives(*values);
    if (const json::array* const choices = array_of(find_member(schema, "anyOf"))) {
        std::string text;
        for (const json::value& choice : *choices)
            text.append(text.empty() ? "" : "|").append(type_of(&choice));
        return text;
    }
    const std::string type = text_of(find_member(schema, "type"));
    const std::string element = type == "array" ? type_of(find_member(schema, "items")) : "";
    if (element.find('|') != element.npos)
        return '(' + element + ")[]";
    return element.empty() ? type : element + "[]";
}

std::string describe_parameter(std::string_view name, bool is_optional, const json::value* schema)
{
    std::string text = printable(name) + (is_optional ? "?" : "");
    if (const std::string type = type_of(schema); !type.empty())
        text += ": " + type;
    if (const json::value* const otherwise = find_member(schema, "default"))
        text += " = " + json_words(*otherwise);
    return text;
}

std::string align(std::vector<signature_line> lines)
{
    const std::size_t column = column_of(lines);
    std::string all;
    for (auto& [signature, text] : lines) {
        if (!text.empty())
            signature.append(std::max(column, signature.size() + 2) - signature.size(), ' ');
        all.append(signature).append(text).append("\n");
    }
    return all;
}

} // namespace call
