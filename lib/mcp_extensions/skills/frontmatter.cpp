#include "mcp_extensions/skills/frontmatter.hpp"

#include "mcp_extensions/skills/skill_uri.hpp"
#include "mcp_extensions/skills/utf8.hpp"
#include "mcp_extensions/skills/yaml_reader.hpp"
#include "mcp_extensions/skills/yaml_scalar.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

constexpr std::string_view fence = "---";
constexpr std::size_t max_frontmatter = std::size_t(64) << 10;
constexpr std::size_t max_description = 1024;

// Takes the next line, without its end.
std::string_view take_line(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

bool is_fence(std::string_view line)
{
    return line.starts_with(fence) && line.find_first_not_of(" \t", fence.size()) == std::string_view::npos;
}

void check_characters(std::string_view line, std::size_t number)
{
    if (!is_utf8(line))
        throw yaml_error(number, "expected UTF-8");
    for (const char c : line)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F)
            throw yaml_error(number, "YAML has no control characters but tabs");
}

// The lines between the fences.
std::vector<std::string_view> take_frontmatter(std::string_view file)
{
    if (file.starts_with("\xEF\xBB\xBF")) // a byte order mark
        file.remove_prefix(3);
    if (take_line(file) != fence)
        throw yaml_error(1, "expected \"---\", and YAML behind it");
    std::vector<std::string_view> lines;
    std::size_t bytes = 0;
    while (!file.empty()) {
        const std::string_view line = take_line(file);
        if (is_fence(line))
            return lines;
        bytes += line.size() + 1;
        if (bytes > max_frontmatter)
            throw yaml_error(lines.size() + 2, "expected \"---\" within 64 KiB");
        check_characters(line, lines.size() + 2);
        lines.push_back(line);
    }
    throw yaml_error(lines.size() + 1, "expected \"---\" behind the YAML, got the end of the file");
}

std::string_view text_of(const json::object& in, std::string_view key)
{
    const json::value* const found = in.if_contains(key);
    const json::string* const text = found ? found->if_string() : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

bool are_equal_numbers(const json::value& one, const json::value& other)
{
    if (one.is_double() || other.is_double())
        return one.to_number<double>() == other.to_number<double>();
    return one == other;
}

// The first place at which they differ, with a "." in front; nothing where they do not.
std::optional<std::string> difference(const json::value& one, const json::value& other);

std::optional<std::string> list_difference(const json::array& one, const json::array& other)
{
    for (std::size_t i = 0; i != std::min(one.size(), other.size()); ++i)
        if (const std::optional<std::string> found = difference(one[i], other[i]))
            return "[" + std::to_string(i) + "]" + *found;
    return one.size() == other.size() ? std::nullopt : std::optional<std::string>("");
}

std::optional<std::string> map_difference(const json::object& one, const json::object& other)
{
    for (const json::key_value_pair& member : one) {
        const json::value* const found = other.if_contains(member.key());
        const std::optional<std::string> deeper =
            found ? difference(member.value(), *found) : std::optional<std::string>("");
        if (deeper)
            return "." + std::string(member.key()) + *deeper;
    }
    for (const json::key_value_pair& member : other)
        if (!one.contains(member.key()))
            return "." + std::string(member.key());
    return std::nullopt;
}

std::optional<std::string> difference(const json::value& one, const json::value& other)
{
    if (one.is_object() && other.is_object())
        return map_difference(one.get_object(), other.get_object());
    if (one.is_array() && other.is_array())
        return list_difference(one.get_array(), other.get_array());
    const bool is_same = one.is_number() && other.is_number() ? are_equal_numbers(one, other) : one == other;
    return is_same ? std::nullopt : std::optional<std::string>("");
}

} // namespace

json::object read_frontmatter(std::string_view file)
{
    return read_yaml(take_frontmatter(file), 2);
}

std::string frontmatter_problem(const json::object& frontmatter)
{
    const std::string_view name = text_of(frontmatter, "name");
    if (std::string problem = name_problem(name); !problem.empty())
        return "\"name\": " + problem;
    const std::size_t length = count_code_points(text_of(frontmatter, "description"));
    if (length == 0 || length > max_description)
        return "\"description\": expected a text of 1 to 1024 characters, got " +
               (length == 0 ? std::string("none") : std::to_string(length));
    return {};
}

std::string find_difference(const json::object& one, const json::object& other)
{
    const std::optional<std::string> found = map_difference(one, other);
    return found ? found->substr(1) : std::string();
}

} // namespace partyline::mcp::skills
