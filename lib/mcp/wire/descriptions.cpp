#include "mcp/wire/descriptions.hpp"

#include <boost/json/array.hpp>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

json::object write_icon(const icon& of)
{
    json::object out{{"src", of.src}};
    put_text(out, "mimeType", of.mime_type);
    if (!of.sizes.empty())
        out["sizes"] = json::array(of.sizes.begin(), of.sizes.end());
    put_text(out, "theme", of.theme);
    return out;
}

} // namespace

std::string_view to_string(role who) noexcept
{
    return who == role::user ? "user" : "assistant";
}

void put_text(json::object& to, std::string_view name, const std::string& text)
{
    if (!text.empty())
        to[name] = text;
}

void put_icons(json::object& to, const std::vector<icon>& icons)
{
    if (icons.empty())
        return;
    json::array all;
    for (const icon& one : icons)
        all.push_back(write_icon(one));
    to["icons"] = std::move(all);
}

void put_annotations(json::object& to, const annotations& of, revision r)
{
    if (of.empty())
        return;
    json::object out;
    if (!of.audience.empty()) {
        json::array who;
        for (const role one : of.audience)
            who.push_back(json::string(to_string(one)));
        out["audience"] = std::move(who);
    }
    if (of.priority)
        out["priority"] = *of.priority;
    if (r >= revision::v2025_06_18)
        put_text(out, "lastModified", of.last_modified);
    to["annotations"] = std::move(out);
}

void put_meta(json::object& to, const json::object& meta)
{
    if (!meta.empty())
        to["_meta"] = meta;
}

} // namespace partyline::mcp
