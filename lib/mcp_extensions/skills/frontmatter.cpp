#include "mcp_extensions/skills/frontmatter.hpp"

#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"
#include "mcp_extensions/skills/utf8.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>

#include <algorithm>
#include <exception>
#include <new>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

constexpr std::string_view fence = "---";
constexpr std::size_t max_description = 1024;
constexpr std::size_t max_compatibility = 500;
constexpr std::size_t max_nesting = 32;                            // lists and maps in each other
constexpr std::size_t max_frontmatter_json = std::size_t(1) << 20; // aliases in YAML may make much of little

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
            return "." + shown(member.key()) + *deeper;
    }
    for (const json::key_value_pair& member : other)
        if (!one.contains(member.key()))
            return "." + shown(member.key());
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

std::string_view kind_of(const json::value& value) noexcept
{
    switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a truth value";
    case json::kind::string: return "a text";
    case json::kind::array: return "a list";
    case json::kind::object: return "a map";
    default: return "a number";
    }
}

std::string in_quotes(std::string_view member)
{
    return "\"" + shown(member) + "\"";
}

// What JSON can't say, though a value can hold it, and what is too deep or too long.
std::string json_problem(const json::object& of)
{
    byte_buffer written;
    for (const json::key_value_pair& member : of) {
        if (!is_utf8(member.key()))
            return in_quotes(member.key()) + ": expected a name in UTF-8";
        if (const std::optional<unwritable> failed = write_value(written, member.value(), max_nesting - 1))
            return in_quotes(std::string(member.key()) + failed->where) + ": " + failed->reason;
        if (written.size() > max_frontmatter_json)
            return in_quotes(member.key()) + ": the frontmatter has more than 1 MiB as JSON, to here";
    }
    return {};
}

std::string text_problem(const json::object& in, std::string_view key, std::size_t longest)
{
    const json::value* const found = in.if_contains(key);
    const json::string* const text = found ? found->if_string() : nullptr;
    const std::size_t length = text ? count_code_points(*text) : 0;
    if (length != 0 && length <= longest)
        return {};
    const std::string got = text ? std::to_string(length) : std::string(found ? kind_of(*found) : "none");
    return in_quotes(key) + ": expected a text of 1 to " + std::to_string(longest) + " characters, got " + got;
}

std::string metadata_problem(const json::object& in)
{
    const json::value* const found = in.if_contains("metadata");
    if (!found)
        return {};
    if (!found->is_object())
        return "\"metadata\": expected a map of texts, got " + std::string(kind_of(*found));
    for (const json::key_value_pair& member : found->get_object())
        if (!member.value().is_string())
            return "\"metadata\": expected a text as " + in_quotes(member.key()) +
                   ", in quotes where YAML has another, got " + std::string(kind_of(member.value()));
    return {};
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
        throw frontmatter_error(shown(wrong.what()));
    }
}

// U+2028 and U+2029 end lines in YAML 1.1, and U+FEFF may stand at the start alone; YAML has no U+FFFE and U+FFFF.
bool needs_escape(char32_t c) noexcept
{
    return is_control(c) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

std::string frontmatter_problem(const json::object& frontmatter)
{
    if (std::string problem = json_problem(frontmatter); !problem.empty())
        return problem;
    const json::value* const name = frontmatter.if_contains("name");
    const json::string* const text = name ? name->if_string() : nullptr;
    if (std::string problem = name_problem(text ? std::string_view(*text) : ""); !problem.empty())
        return "\"name\": " + problem;
    if (std::string problem = text_problem(frontmatter, "description", max_description); !problem.empty())
        return problem;
    if (std::string problem = text_problem(frontmatter, "compatibility", max_compatibility);
        frontmatter.contains("compatibility") && !problem.empty())
        return problem;
    return metadata_problem(frontmatter);
}

std::optional<std::string> find_difference(const json::object& one, const json::object& other)
{
    std::optional<std::string> found = map_difference(one, other);
    if (found)
        found->erase(0, 1); // the "."
    return found;
}

} // namespace partyline::mcp::skills
