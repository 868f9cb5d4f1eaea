#include "mcp/wire/client_facts.hpp"

#include "mcp/wire/descriptions.hpp"
#include "protocol/json/for_each_member.hpp"

#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>

namespace json = boost::json;

namespace partyline::mcp {

BOOST_DESCRIBE_STRUCT(implementation, (), (name, version, title, description, website_url))
constexpr auto notes_of(of<implementation>)
{
    using me = implementation;
    return notes(note(&me::name, defaulted), note(&me::version, defaulted), note(&me::title, defaulted),
                 note(&me::description, defaulted), note(&me::website_url, wire_name("websiteUrl"), defaulted));
}

namespace {

// Null where there is no such capability.
const json::object* find(const json::object& capabilities, std::string_view name) noexcept
{
    const json::value* const found = capabilities.if_contains(name);
    return found ? found->if_object() : nullptr;
}

// The member of that name, of duplicates the last; empty where it is none, or no object.
std::string_view last_object(std::string_view in, std::string_view name)
{
    std::string_view found;
    scanner scan;
    std::string memory;
    for_each_member(scan, in, memory, [&](const member_text& one) {
        if (one.name == name)
            found = one.value;
    });
    return found.starts_with('{') ? found : std::string_view();
}

} // namespace

std::size_t client_facts::bytes() const noexcept
{
    const implementation& i = info;
    return capabilities.size() + said.size() + i.name.size() + i.version.size() + i.title.size() +
           i.description.size() + i.website_url.size();
}

void client_facts::declare(std::string_view text, const json::object& read)
{
    capabilities = text;
    if (const json::object* const elicitation = find(read, "elicitation")) {
        takes_pages_ = elicitation->contains("url");
        takes_forms_ = elicitation->contains("form") || !takes_pages_; // an empty one is of when there were only forms
    }
    if (const json::object* const sampling = find(read, "sampling")) {
        samples_ = true;
        takes_tools_ = sampling->contains("tools");
    }
    has_roots_ = find(read, "roots") != nullptr;
}

json_view client_facts::extension(std::string_view name) const
{
    const std::string_view declared = last_object(capabilities, "extensions");
    return json_view::checked(last_object(declared, name));
}

implementation read_implementation(const json::value& from)
{
    error_object problem;
    return partyline::detail::read_tolerantly<implementation>(from, problem).value_or(implementation());
}

json::object write_implementation(const implementation& of, revision r)
{
    json::object out{{"name", of.name}, {"version", of.version}};
    if (r >= revision::v2025_06_18)
        put_text(out, "title", of.title);
    if (r >= revision::v2025_11_25) {
        put_text(out, "description", of.description);
        put_text(out, "websiteUrl", of.website_url);
        put_icons(out, of.icons);
    }
    return out;
}

} // namespace partyline::mcp
