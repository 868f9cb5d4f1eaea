#include "method_list.hpp"

#include "signature.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace call {
namespace {

const json::array* find_array(const json::value& of, std::string_view name)
{
    const json::value* const found = find_member(&of, name);
    return found ? found->if_array() : nullptr;
}

std::string describe_one(const json::value& of)
{
    const json::value* const required = find_member(&of, "required");
    const bool is_optional = !required || !required->is_bool() || !required->get_bool();
    const json::value* const name = find_member(&of, "name");
    const json::string* const text = name ? name->if_string() : nullptr;
    return describe_parameter(text ? std::string_view(*text) : std::string_view(), is_optional,
                              find_member(&of, "schema"));
}

std::string describe_parameters(const json::value& method)
{
    if (const json::value* const whole = find_member(&method, "x-params")) {
        const std::string type = type_of(whole);
        return type.empty() ? "..." : "..." + type;
    }
    std::string text;
    if (const json::array* const parameters = find_array(method, "params"))
        for (const json::value& parameter : *parameters)
            text.append(text.empty() ? "" : ", ").append(describe_one(parameter));
    return text;
}

std::string describe_result(const json::value& method)
{
    const json::value* const result = find_member(&method, "result");
    if (!result)
        return " (notification)";
    const std::string type = type_of(find_member(result, "schema"));
    return type.empty() || type == "null" ? "" : " -> " + type;
}

signature_line describe_method(const json::value& method)
{
    std::string text = text_of(find_member(&method, "summary"));
    if (text.empty())
        text = text_of(find_member(&method, "description"));
    return {text_of(find_member(&method, "name")) + '(' + describe_parameters(method) + ')' + describe_result(method),
            std::move(text)};
}

} // namespace

bool lists_methods(const json::value& document)
{
    return find_array(document, "methods") != nullptr;
}

std::string list_methods(const json::value& document)
{
    std::vector<signature_line> lines;
    if (const json::array* const methods = find_array(document, "methods"))
        for (const json::value& method : *methods)
            lines.push_back(describe_method(method));
    return align(std::move(lines));
}

} // namespace call
