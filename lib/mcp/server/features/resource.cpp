#include "mcp/server/features/resource.hpp"

#include "mcp/wire/descriptions.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/written_object.hpp"

#include <partyline/mcp/server.hpp>
#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// A scheme and something behind it.
std::string checked_uri(std::string uri)
{
    const std::size_t colon = uri.find(':');
    if (colon == 0 || colon == uri.npos || colon + 1 == uri.size())
        throw std::invalid_argument("\"" + uri + "\" is no URI: it has no scheme, as \"notes://readme\" has");
    return uri;
}

resource_description checked(resource_description about)
{
    if (about.name.empty())
        throw std::invalid_argument("a resource has a name");
    return about;
}

resource_description checked_alone(resource_description about)
{
    if (about.options.list)
        throw std::invalid_argument("a resource has no resource_options::list: that is for a template");
    return checked(std::move(about));
}

std::set<std::string, std::less<>> names_in(const uri_template& of)
{
    const std::vector<std::string> names = of.names();
    return {names.begin(), names.end()};
}

bool has_member(const partyline::detail::schema_type& of, std::string_view name)
{
    return std::any_of(of.members.begin(), of.members.end(), [&](const auto& one) { return one.name == name; });
}

// Both sides are known here, so that a misspelt one is found before anybody asks.
std::string checked_template(std::string text, const detail::template_binding& bound)
{
    const std::vector<std::string> names = uri_template(text).names();
    const partyline::detail::schema_type type = bound.variables();
    for (const std::string& name : names)
        if (!has_member(type, name))
            throw std::invalid_argument("the struct has no member for the variable \"" + name + "\" of \"" + text +
                                        '"');
    for (const auto& member : type.members)
        if (member.is_required && std::find(names.begin(), names.end(), member.name) == names.end())
            throw std::invalid_argument("\"" + text + "\" has no variable for the member \"" +
                                        std::string(member.name) + '"');
    return text;
}

} // namespace

void resource_description::write(byte_buffer& out, std::string_view key, const std::string& uri, revision r) const
{
    json::object said{{"name", name}};
    said[key] = uri;
    put_text(said, "description", description);
    put_text(said, "mimeType", options.mime_type);
    put_annotations(said, options.annotations, r);
    if (options.size && r >= revision::v2025_03_26)
        said["size"] = *options.size;
    if (r >= revision::v2025_06_18) {
        put_text(said, "title", options.title);
        put_meta(said, options.meta);
    }
    if (r >= revision::v2025_11_25)
        put_icons(said, options.icons);
    write_object(out, said);
}

resource::resource(std::string uri, resource_description about, std::unique_ptr<detail::call_handler> reads)
    : feature(feature_kind::resource, checked_uri(std::move(uri)), std::move(reads), about.options.run,
              methods::read_resource),
      about_(checked_alone(std::move(about)))
{
}

json_view resource::arguments(const request_members&, std::string&) const
{
    return json_view::checked("{}");
}

resource_template::resource_template(std::string text, resource_description about, detail::template_binding bound)
    : feature(feature_kind::resource_template, checked_template(std::move(text), bound), std::move(bound.handler),
              about.options.run, methods::read_resource),
      template_(key()), variables_(names_in(template_)), about_(checked(std::move(about)))
{
}

std::vector<listed_resource> resource_template::list(request_context& asked_by) const
{
    return about_.options.list(asked_by);
}

void resource_template::describe(byte_buffer& out, const listed_resource& one, revision r) const
{
    if (!fits(one.uri))
        throw std::logic_error("the template \"" + key() + "\" lists \"" + one.uri + "\", which it does not fit");
    resource_description about{one.name.empty() ? one.uri : one.name, one.description, {}};
    about.options.title = one.title;
    about.options.mime_type = one.mime_type.empty() ? about_.options.mime_type : one.mime_type;
    about.options.size = one.size;
    about.options.annotations = one.annotations;
    about.write(out, "uri", one.uri, r);
}

json_view resource_template::arguments(const request_members& of, std::string& memory) const
{
    std::string_view uri;
    std::string decoded;
    const bool has_uri = read_string(of.uri, uri, decoded);
    const std::optional<uri_template::values> found = has_uri ? template_.match(uri) : std::nullopt;
    if (!found)
        throw resource_not_found();
    byte_buffer out;
    char between = '{';
    for (const uri_template::named_value& one : *found) {
        out.push_back(std::exchange(between, ','));
        write_string(out, one.name);
        out.push_back(':');
        write_string(out, one.value);
    }
    if (found->empty())
        out.push_back('{');
    out.push_back('}');
    memory = out.view();
    return json_view::checked(memory);
}

} // namespace partyline::mcp
