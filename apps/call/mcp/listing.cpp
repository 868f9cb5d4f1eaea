#include "listing.hpp"

#include "call/methods/signature.hpp"
#include "call/output/shown_line.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace json = boost::json;
namespace mcp = partyline::mcp;

namespace call {
namespace {

// A description may be a manual: its first line.
std::string summary_of(std::string_view description, std::string_view title)
{
    const std::string_view text = description.empty() ? title : description;
    return shown_line(text.substr(0, text.find('\n')));
}

bool requires_name(const json::object& schema, std::string_view name)
{
    const json::value* const required = schema.if_contains("required");
    return required && required->is_array() && std::ranges::any_of(required->get_array(), [&](const json::value& each) {
               return each.is_string() && std::string_view(each.get_string()) == name;
           });
}

std::string signature_of(const mcp::tool_info& tool)
{
    std::string arguments;
    const json::value* const properties = tool.input_schema.if_contains("properties");
    if (properties && properties->is_object())
        for (const auto& [name, schema] : properties->get_object())
            arguments.append(arguments.empty() ? "" : ", ")
                .append(describe_parameter(name, !requires_name(tool.input_schema, name), &schema));
    return shown_line(tool.name) + '(' + arguments + ')';
}

std::string signature_of(const mcp::prompt_info& prompt)
{
    std::string arguments;
    for (const mcp::prompt_argument& each : prompt.arguments)
        arguments.append(arguments.empty() ? "" : ", ").append(describe_parameter(each.name, !each.required, nullptr));
    return shown_line(prompt.name) + '(' + arguments + ')';
}

// "name: what it is (type)"
template <class T>
std::string resource_text(const T& of)
{
    std::string text = shown_line(of.title.empty() ? of.name : of.title);
    if (const std::string summary = summary_of(of.description, {}); !summary.empty())
        text.append(text.empty() ? "" : ": ").append(summary);
    return of.mime_type.empty() ? text : text + " (" + shown_line(of.mime_type) + ')';
}

std::string names_in(const json::object& capabilities)
{
    std::string names;
    for (const auto& each : capabilities)
        names.append(names.empty() ? "" : ", ").append(shown_line(each.key()));
    return names.empty() ? "nothing" : names;
}

} // namespace

std::string list_lines(const std::vector<mcp::tool_info>& tools)
{
    std::vector<signature_line> lines;
    for (const mcp::tool_info& each : tools)
        lines.push_back({signature_of(each), summary_of(each.description, each.title)});
    return align(std::move(lines));
}

std::string list_lines(const std::vector<mcp::resource_info>& resources)
{
    std::vector<signature_line> lines;
    for (const mcp::resource_info& each : resources)
        lines.push_back({shown_line(each.uri), resource_text(each)});
    return align(std::move(lines));
}

std::string list_lines(const std::vector<mcp::resource_template_info>& templates)
{
    std::vector<signature_line> lines;
    for (const mcp::resource_template_info& each : templates)
        lines.push_back({shown_line(each.uri_template), resource_text(each)});
    return align(std::move(lines));
}

std::string list_lines(const std::vector<mcp::prompt_info>& prompts)
{
    std::vector<signature_line> lines;
    for (const mcp::prompt_info& each : prompts)
        lines.push_back({signature_of(each), summary_of(each.description, each.title)});
    return align(std::move(lines));
}

std::string info_lines(const mcp::server_info& server)
{
    std::string text = shown_line(server.info.name) + ' ' + shown_line(server.info.version);
    if (!server.info.title.empty())
        text += ": " + shown_line(server.info.title);
    text += "\nrevision " + std::string(to_string(server.revision));
    text += "\nhas " + names_in(server.capabilities) + '\n';
    return text + shown_lines(server.instructions, "");
}

} // namespace call
