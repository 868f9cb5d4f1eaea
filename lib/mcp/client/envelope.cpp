#include "mcp/client/envelope.hpp"

#include "mcp/wire/client_facts.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

namespace json = boost::json;

namespace partyline::mcp {

json::object client_capabilities(const client_handlers& of, const client_options& options, era in)
{
    json::object all;
    json::object elicitation;
    if (of.elicit)
        elicitation["form"] = json::object();
    if (of.elicit_page)
        elicitation["url"] = json::object();
    if (!elicitation.empty())
        all["elicitation"] = std::move(elicitation);
    if (of.sample)
        all["sampling"] = options.samples_with_tools ? json::object{{"tools", json::object()}} : json::object();
    if (of.has_roots)
        all["roots"] = in == era::legacy ? json::object{{"listChanged", true}} : json::object();
    json::object extensions;
    for (const declared_extension& one : of.extensions)
        if (in == era::modern || era_of(one.options.since) == era::legacy)
            extensions[one.name] = one.settings;
    if (!extensions.empty())
        all["extensions"] = std::move(extensions);
    return all;
}

json::object modern_meta(const client_handlers& of, const client_options& options, revision r)
{
    return {{meta_names::protocol_version, json::string(to_string(r))},
            {meta_names::client_info, write_implementation(options.info, r)},
            {meta_names::client_capabilities, client_capabilities(of, options, era::modern)}};
}

void add_member(std::string& members, std::string_view name, std::string_view json)
{
    if (!members.empty())
        members += ',';
    members.append("\"").append(name).append("\":").append(json);
}

void add_string(std::string& members, std::string_view name, std::string_view text)
{
    byte_buffer written;
    write_string(written, text);
    add_member(members, name, written.view());
}

} // namespace partyline::mcp
