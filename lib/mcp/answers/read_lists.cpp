#include "mcp/answers/read_lists.hpp"

#include "mcp/answers/read_answers.hpp"
#include "mcp/answers/read_result.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

template <class T>
constexpr std::string_view list_member = "tools";
template <>
constexpr std::string_view list_member<resource_info> = "resources";
template <>
constexpr std::string_view list_member<resource_template_info> = "resourceTemplates";
template <>
constexpr std::string_view list_member<prompt_info> = "prompts";

BOOST_DESCRIBE_STRUCT(tool_hints, (), (read_only, destructive, idempotent, open_world))
constexpr auto notes_of(of<tool_hints>)
{
    using me = tool_hints;
    return notes(note(&me::read_only, wire_name("readOnlyHint"), defaulted),
                 note(&me::destructive, wire_name("destructiveHint"), defaulted),
                 note(&me::idempotent, wire_name("idempotentHint"), defaulted),
                 note(&me::open_world, wire_name("openWorldHint"), defaulted));
}

BOOST_DESCRIBE_STRUCT(listed_names, (), (name, title, description))
constexpr auto notes_of(of<listed_names>)
{
    return notes(note(&listed_names::title, defaulted), note(&listed_names::description, defaulted));
}

BOOST_DESCRIBE_STRUCT(tool_info, (listed_names), (input_schema, output_schema, hints))
constexpr auto notes_of(of<tool_info>)
{
    using me = tool_info;
    return notes(note(&me::input_schema, wire_name("inputSchema")), note(&me::output_schema, wire_name("outputSchema")),
                 note(&me::hints, wire_name("annotations"), defaulted));
}

BOOST_DESCRIBE_STRUCT(resource_info, (listed_names), (uri, mime_type, size))
constexpr auto notes_of(of<resource_info>)
{
    return notes(note(&resource_info::mime_type, wire_name("mimeType"), defaulted));
}

BOOST_DESCRIBE_STRUCT(resource_template_info, (listed_names), (uri_template, mime_type))
constexpr auto notes_of(of<resource_template_info>)
{
    using me = resource_template_info;
    return notes(note(&me::uri_template, wire_name("uriTemplate")),
                 note(&me::mime_type, wire_name("mimeType"), defaulted));
}

BOOST_DESCRIBE_STRUCT(prompt_argument, (listed_names), (required))
constexpr auto notes_of(of<prompt_argument>)
{
    return notes(note(&prompt_argument::required, defaulted));
}

BOOST_DESCRIBE_STRUCT(prompt_info, (listed_names), (arguments))
constexpr auto notes_of(of<prompt_info>)
{
    return notes(note(&prompt_info::arguments, defaulted));
}

BOOST_DESCRIBE_STRUCT(page<tool_info>, (), (items, next_cursor))
BOOST_DESCRIBE_STRUCT(page<resource_info>, (), (items, next_cursor))
BOOST_DESCRIBE_STRUCT(page<resource_template_info>, (), (items, next_cursor))
BOOST_DESCRIBE_STRUCT(page<prompt_info>, (), (items, next_cursor))
template <listed T>
constexpr auto notes_of(of<page<T>>)
{
    return notes(note(&page<T>::items, wire_name(list_member<T>)),
                 note(&page<T>::next_cursor, wire_name("nextCursor")));
}

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
    json::value whole = parse_result(list_method<T>(), result);
    page<T> read = read_as<page<T>>(list_method<T>(), whole);
    json::array& items = whole.get_object()[list_member<T>].get_array();
    for (std::size_t i = 0; i != items.size(); ++i)
        read.items[i].raw = std::move(items[i].get_object());
    return read;
}

template page<tool_info> read_page(const json_text&);
template page<resource_info> read_page(const json_text&);
template page<resource_template_info> read_page(const json_text&);
template page<prompt_info> read_page(const json_text&);

} // namespace partyline::mcp
