#include "http/mcp/mirrored_value.hpp"

#include "http/wire/characters.hpp"
#include "protocol/json/read_string.hpp"

#include <string_view>

namespace partyline::http {
namespace {

json_view find(message_reader& reader, const std::vector<std::string>& path)
{
    json_view at = reader.find_param("arguments");
    for (const std::string& name : path) {
        if (!at.text().starts_with('{'))
            return {};
        at = reader.find_member(at, name);
    }
    return at;
}

} // namespace

std::optional<mirrored_value> find_mirrored(message_reader& reader, const std::vector<std::string>& path)
{
    const json_view argument = find(reader, path);
    const std::string_view text = argument.text();
    if (text.empty() || text == "null")
        return std::nullopt;
    std::string memory;
    std::string_view decoded;
    if (read_string(argument, decoded, memory))
        return mirrored_value{std::string(decoded), false};
    return mirrored_value{std::string(text), text.front() == '-' || is_digit(text.front())};
}

} // namespace partyline::http
