#include "mcp_extensions/skills/mime_type.hpp"

#include "mcp_extensions/skills/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace partyline::mcp::skills {
namespace {

// What skills have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> known_types = {{
    {"css", "text/css"},         {"csv", "text/csv"},          {"gif", "image/gif"},
    {"html", "text/html"},       {"jpeg", "image/jpeg"},       {"jpg", "image/jpeg"},
    {"js", "text/javascript"},   {"json", "application/json"}, {"md", "text/markdown"},
    {"mjs", "text/javascript"},  {"pdf", "application/pdf"},   {"png", "image/png"},
    {"py", "text/x-python"},     {"sh", "text/x-shellscript"}, {"sql", "application/sql"},
    {"svg", "image/svg+xml"},    {"toml", "application/toml"}, {"txt", "text/plain"},
    {"webp", "image/webp"},      {"xml", "application/xml"},   {"yaml", "application/yaml"},
    {"yml", "application/yaml"}, {"zip", "application/zip"},
}};

} // namespace

std::string mime_type_of(std::string_view path, bool is_text)
{
    const std::size_t dot = path.rfind('.');
    const std::string ending = dot == std::string_view::npos ? std::string() : lower_case(path.substr(dot + 1));
    const auto found =
        std::find_if(known_types.begin(), known_types.end(), [&](const auto& one) { return one.first == ending; });
    if (found != known_types.end())
        return std::string(found->second);
    return is_text ? "text/plain" : "application/octet-stream";
}

} // namespace partyline::mcp::skills
