#include "mcp_extensions/skills/frontmatter.hpp"

#include "mcp_extensions/skills/skill_uri.hpp"
#include "mcp_extensions/skills/utf8.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

constexpr std::string_view fence = "---";
constexpr std::size_t max_description = 1024;
constexpr std::size_t max_nesting = 32; // lists and maps in each other

[[noreturn]] void refuse_line(std::size_t number, const std::string& why)
{
    throw frontmatter_error("line " + std::to_string(number) + ": " + why);
}

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
        refuse_line(number, "expected UTF-8");
    while (!line.empty())
        if (const char32_t c = take_code_point(line); needs_escape(c) && c != '\t')
            refuse_line(number, "expected an escape in place of a control character, a line separator or the like");
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

std::string value_problem(const json::value& value, std::size_t depth);

std::string members_problem(const json::object& of, std::size_t depth)
{
    for (const json::key_value_pair& member : of) {
        if (member.key().empty() || !is_utf8(member.key()))
            return "the names of members are UTF-8, and not empty";
        if (const std::string problem = value_problem(member.value(), depth); !problem.empty())
            return "\"" + std::string(member.key()) + "\": " + problem;
    }
    return {};
}

std::string items_problem(const json::array& of, std::size_t depth)
{
    for (const json::value& item : of)
        if (std::string problem = value_problem(item, depth); !problem.empty())
            return problem;
    return {};
}

// What JSON can't say, though a value can hold it, and what is too deep.
std::string value_problem(const json::value& value, std::size_t depth)
{
    if (const json::string* const text = value.if_string(); text && !is_utf8(*text))
        return "expected UTF-8";
    if (const double* const number = value.if_double(); number && !std::isfinite(*number))
        return "expected a number that is finite";
    if (value.is_structured() && depth == max_nesting)
        return "there are more than " + std::to_string(max_nesting) + " lists and maps in each other";
    if (const json::array* const items = value.if_array())
        return items_problem(*items, depth + 1);
    const json::object* const members = value.if_object();
    return members ? members_problem(*members, depth + 1) : std::string();
}

} // namespace

std::string_view find_frontmatter(std::string_view file)
{
    if (file.starts_with("\xEF\xBB\xBF")) // a byte order mark
        file.remove_prefix(3);
    if (take_line(file) != fence)
        refuse_line(1, "expected \"---\", and YAML behind it");
    const std::string_view behind = file;
    std::size_t number = 1;
    while (!file.empty()) {
        ++number;
        const std::size_t size = behind.size() - file.size();
        const std::string_view line = take_line(file);
        if (is_fence(line))
            return behind.substr(0, size);
        if (behind.size() - file.size() > max_frontmatter)
            refuse_line(number, "expected \"---\" within 64 KiB");
        check_characters(line, number);
    }
    refuse_line(number, "expected \"---\" behind the YAML, got the end of the file");
}

json::object read_frontmatter(std::string_view file, const frontmatter_reader& reader)
{
    const std::string_view text = find_frontmatter(file);
    try {
        return reader(text);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& wrong) {
        throw frontmatter_error(wrong.what());
    }
}

// U+2028 and U+2029 end lines in YAML 1.1, and U+FEFF may stand at the start alone; YAML has no U+FFFE and U+FFFF.
bool needs_escape(char32_t c) noexcept
{
    return is_control(c) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

std::string frontmatter_problem(const json::object& frontmatter)
{
    if (std::string problem = members_problem(frontmatter, 1); !problem.empty())
        return problem;
    const std::string_view name = text_of(frontmatter, "name");
    if (std::string problem = name_problem(name); !problem.empty())
        return "\"name\": " + problem;
    const std::size_t length = count_code_points(text_of(frontmatter, "description"));
    if (length == 0 || length > max_description)
        return "\"description\": expected a text of 1 to 1024 characters, got " +
               (length == 0 ? std::string("none") : std::to_string(length));
    return {};
}

bool has_empty_name(const json::value& value)
{
    if (const json::array* const items = value.if_array())
        return std::any_of(items->begin(), items->end(), has_empty_name);
    const json::object* const members = value.if_object();
    return members && std::any_of(members->begin(), members->end(), [](const json::key_value_pair& member) {
               return member.key().empty() || has_empty_name(member.value());
           });
}

std::optional<std::string> find_difference(const json::object& one, const json::object& other)
{
    std::optional<std::string> found = map_difference(one, other);
    if (found)
        found->erase(0, 1); // the "."
    return found;
}

} // namespace partyline::mcp::skills
