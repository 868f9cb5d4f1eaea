#include "mcp/wire/client_facts.hpp"

#include "mcp/wire/descriptions.hpp"

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

std::string text_of(const json::object& from, std::string_view name)
{
    const json::value* const found = from.if_contains(name);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

// Null where there is no such capability.
const json::object* find(const json::object& capabilities, std::string_view name) noexcept
{
    const json::value* const found = capabilities.if_contains(name);
    return found ? found->if_object() : nullptr;
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

implementation read_implementation(const json::value& from)
{
    implementation read;
    if (const json::object* const members = from.if_object()) {
        read.name = text_of(*members, "name");
        read.version = text_of(*members, "version");
        read.title = text_of(*members, "title");
        read.description = text_of(*members, "description");
        read.website_url = text_of(*members, "websiteUrl");
    }
    return read;
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
