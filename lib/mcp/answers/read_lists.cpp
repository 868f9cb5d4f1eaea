#include "mcp/answers/read_lists.hpp"

#include "mcp/answers/read_answers.hpp"
#include "mcp/answers/result_place.hpp"
#include "mcp/wire/methods.hpp"

namespace json = boost::json;

namespace partyline::mcp {
namespace {

tool_hints read_hints(const result_place& place)
{
    tool_hints read;
    if (place.is_absent())
        return read;
    read.read_only = place.member("readOnlyHint").boolean_or(read.read_only);
    read.destructive = place.member("destructiveHint").boolean_or(read.destructive);
    read.idempotent = place.member("idempotentHint").boolean_or(read.idempotent);
    read.open_world = place.member("openWorldHint").boolean_or(read.open_world);
    return read;
}

// What all of them have.
template <class T>
void read_names(T& read, const result_place& place)
{
    read.name = place.member("name").string();
    read.title = place.member("title").string_or({});
    read.description = place.member("description").string_or({});
}

void read_one(tool_info& read, const result_place& place)
{
    read_names(read, place);
    read.input_schema = place.member("inputSchema").object();
    const result_place output = place.member("outputSchema");
    if (!output.is_absent())
        read.output_schema = output.value();
    read.hints = read_hints(place.member("annotations"));
}

void read_one(resource_info& read, const result_place& place)
{
    read_names(read, place);
    read.uri = place.member("uri").string();
    read.mime_type = place.member("mimeType").string_or({});
    read.size = place.member("size").count();
}

void read_one(resource_template_info& read, const result_place& place)
{
    read_names(read, place);
    read.uri_template = place.member("uriTemplate").string();
    read.mime_type = place.member("mimeType").string_or({});
}

prompt_argument read_argument(const result_place& place)
{
    prompt_argument read;
    read_names(read, place);
    read.required = place.member("required").boolean_or(false);
    return read;
}

void read_one(prompt_info& read, const result_place& place)
{
    read_names(read, place);
    const result_place arguments = place.member("arguments");
    const std::size_t count = arguments.is_absent() ? 0 : arguments.array().size();
    for (std::size_t i = 0; i != count; ++i)
        read.arguments.push_back(read_argument(arguments.element(i)));
}

template <class T>
constexpr std::string_view list_member = "tools";
template <>
constexpr std::string_view list_member<resource_info> = "resources";
template <>
constexpr std::string_view list_member<resource_template_info> = "resourceTemplates";
template <>
constexpr std::string_view list_member<prompt_info> = "prompts";

} // namespace

template <>
std::string_view list_method<tool_info>() noexcept
{
    return methods::list_tools;
}
template <>
std::string_view list_method<resource_info>() noexcept
{
    return methods::list_resources;
}
template <>
std::string_view list_method<resource_template_info>() noexcept
{
    return methods::list_templates;
}
template <>
std::string_view list_method<prompt_info>() noexcept
{
    return methods::list_prompts;
}

template <listed T>
page<T> read_page(const json_text& result)
{
    const json::value whole = parse_result(list_method<T>(), result);
    const result_place place(list_method<T>(), whole);
    const result_place items = place.member(list_member<T>);
    page<T> read;
    const std::size_t count = items.array().size();
    for (std::size_t i = 0; i != count; ++i) {
        const result_place one = items.element(i);
        T& made = read.items.emplace_back();
        read_one(made, one);
        made.raw = one.object();
    }
    const result_place next = place.member("nextCursor");
    if (!next.is_absent())
        read.next_cursor = next.string();
    return read;
}

template page<tool_info> read_page(const json_text&);
template page<resource_info> read_page(const json_text&);
template page<resource_template_info> read_page(const json_text&);
template page<prompt_info> read_page(const json_text&);

} // namespace partyline::mcp
