#include "method_list.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace call {
namespace {

using partyline::printable;

// Null where there is no such member.
const json::value* find(const json::value* of, std::string_view name)
{
    const json::object* const object = of ? of->if_object() : nullptr;
    return object ? object->if_contains(name) : nullptr;
}

std::string text_of(const json::value* value)
{
    const json::string* const text = value ? value->if_string() : nullptr;
    return text ? printable(std::string_view(*text)) : std::string();
}

// Numbers as results have them, not as Boost.JSON writes them: 1.5, not 1.5E0.
std::string as_json(const json::value& value)
{
    partyline::byte_buffer out;
    write_value(out, value, std::numeric_limits<std::size_t>::max());
    return printable(out.view());
}

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
        text.append(i ? "|" : "").append(as_json(all[i]));
    return all.size() > most ? text + "|..." : text;
}

std::string type_of(const json::value* schema)
{
    if (const json::array* const values = array_of(find(schema, "enum")))
        return alternatives(*values);
    if (const json::array* const choices = array_of(find(schema, "anyOf"))) {
        std::string text;
        for (const json::value& choice : *choices)
            text.append(text.empty() ? "" : "|").append(type_of(&choice));
        return text;
    }
    const std::string type = text_of(find(schema, "type"));
    const std::string element = type == "array" ? type_of(find(schema, "items")) : "";
    if (element.find('|') != element.npos)
        return '(' + element + ")[]";
    return element.empty() ? type : element + "[]";
}

std::string describe_parameter(const json::value& of)
{
    const json::value* const required = find(&of, "required");
    const bool is_optional = !required || !required->is_bool() || !required->get_bool();
    const json::value* const schema = find(&of, "schema");
    std::string text = text_of(find(&of, "name")) + (is_optional ? "?" : "");
    if (const std::string type = type_of(schema); !type.empty())
        text += ": " + type;
    if (const json::value* const otherwise = find(schema, "default"))
        text += " = " + as_json(*otherwise);
    return text;
}

std::string describe_parameters(const json::value& method)
{
    if (const json::value* const whole = find(&method, "x-params")) {
        const std::string type = type_of(whole);
        return type.empty() ? "..." : "..." + type;
    }
    std::string text;
    if (const json::array* const parameters = array_of(find(&method, "params")))
        for (const json::value& parameter : *parameters)
            text.append(text.empty() ? "" : ", ").append(describe_parameter(parameter));
    return text;
}

std::string describe_result(const json::value& method)
{
    const json::value* const result = find(&method, "result");
    if (!result)
        return " (notification)";
    const std::string type = type_of(find(result, "schema"));
    return type.empty() || type == "null" ? "" : " -> " + type;
}

using line = std::pair<std::string, std::string>; // the signature, and what it does

line describe_method(const json::value& method)
{
    std::string text = text_of(find(&method, "summary"));
    if (text.empty())
        text = text_of(find(&method, "description"));
    return {text_of(find(&method, "name")) + '(' + describe_parameters(method) + ')' + describe_result(method), text};
}

// Where the texts begin: behind the signatures, but for some that are too long.
std::size_t column_of(const std::vector<line>& lines)
{
    constexpr std::size_t most = 48;
    std::size_t column = 0;
    for (const line& each : lines)
        if (each.first.size() <= most)
            column = std::max(column, each.first.size());
    return column + 2;
}

} // namespace

bool lists_methods(const json::value& document)
{
    return array_of(find(&document, "methods")) != nullptr;
}

std::string list_methods(const json::value& document)
{
    std::vector<line> lines;
    if (const json::array* const methods = array_of(find(&document, "methods")))
        for (const json::value& method : *methods)
            lines.push_back(describe_method(method));
    const std::size_t column = column_of(lines);
    std::string text;
    for (auto& [signature, what] : lines) {
        if (!what.empty())
            signature.append(std::max(column, signature.size() + 2) - signature.size(), ' ');
        text.append(signature).append(what).append("\n");
    }
    return text;
}

} // namespace call
