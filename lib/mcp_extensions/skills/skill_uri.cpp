#include "mcp_extensions/skills/skill_uri.hpp"

#include "mcp_extensions/skills/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace partyline::mcp::skills {
namespace {

bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_plain(char c)
{
    return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void append_byte(std::string& out, char c)
{
    constexpr char digits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain(c))
        out.push_back(c);
    else
        out += {'%', digits[byte >> 4], digits[byte & 15]};
}

std::string encode(std::string_view segment)
{
    std::string encoded;
    for (const char c : segment)
        append_byte(encoded, c);
    return encoded;
}

std::optional<std::string> decode(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] != '%') {
            decoded.push_back(text[i]);
            continue;
        }
        const int high = text.size() - i > 2 ? hex_value(text[i + 1]) : -1;
        const int low = text.size() - i > 2 ? hex_value(text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return std::nullopt;
        decoded.push_back(static_cast<char>(high * 16 + low));
        i += 2;
    }
    return decoded;
}

std::vector<std::string_view> split(std::string_view path)
{
    std::vector<std::string_view> segments;
    for (std::size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/')) {
        segments.push_back(path.substr(0, end));
        path.remove_prefix(end + 1);
    }
    segments.push_back(path);
    return segments;
}

std::string join(const std::vector<std::string>& segments)
{
    std::string joined;
    std::string_view between;
    for (const std::string& one : segments) {
        joined.append(between).append(one);
        between = "/";
    }
    return joined;
}

// Each segment as `encode` has it, so that all spellings of a path are one. Nothing is made of "%" without digits, nor
// of more than a URI may have: a path of slashes takes some 50 times its size here.
std::optional<std::vector<std::string>> spelled_alike(std::string_view path)
{
    if (path.size() > max_uri)
        return std::nullopt;
    std::vector<std::string> segments;
    for (const std::string_view one : split(path)) {
        const std::optional<std::string> decoded = decode(one);
        if (!decoded)
            return std::nullopt;
        segments.push_back(encode(*decoded));
    }
    return segments;
}

// RFC 3986 §3.1: a letter, letters, digits, "+-.", and a colon. Empty where there is none.
std::string_view scheme_of(std::string_view reference) noexcept
{
    const std::string_view front = reference.substr(0, reference.find(':'));
    if (front.empty() || front.size() == reference.size() || !is_letter(front.front()))
        return {};
    const bool is_sound = std::all_of(front.begin(), front.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
    });
    return is_sound ? front : std::string_view();
}

// A file may be named "a:b.md": a scheme is what is the skill's, or has "/" behind it.
bool is_uri_for(std::string_view skill_uri, std::string_view reference)
{
    const std::string_view front = scheme_of(reference);
    return !front.empty() && (front == scheme_of(skill_uri) || reference.substr(front.size()).starts_with(":/"));
}

bool is_dots(std::string_view segment)
{
    return segment == "." || segment == "..";
}

// Without "." and ".."; nothing for what leads above the root, or to a folder, or has nothing between two "/".
std::optional<std::string> resolve(const std::vector<std::string>& segments)
{
    std::vector<std::string> resolved;
    for (const std::string& one : segments)
        if (one.empty() || (one == ".." && resolved.empty()))
            return std::nullopt;
        else if (one == "..")
            resolved.pop_back();
        else if (one != ".")
            resolved.push_back(one);
    return is_dots(segments.back()) ? std::nullopt : std::optional(join(resolved));
}

std::string_view without_fragment(std::string_view reference)
{
    return reference.substr(0, reference.find('#'));
}

} // namespace

std::string path_problem(std::string_view path)
{
    if (path.size() > max_path)
        return "a path has " + std::to_string(max_path) + " bytes at most";
    if (!is_utf8(path))
        return "a path is UTF-8";
    for (std::string_view rest = path; !rest.empty();)
        if (const char32_t c = take_code_point(rest); is_control(c) || c == '\\')
            return "a path has no control characters and no \"\\\"";
    for (const std::string_view segment : split(path))
        if (segment.empty() || is_dots(segment))
            return "no part of a path between \"/\" is empty, \".\" or \"..\"";
    return {};
}

std::string name_problem(std::string_view name)
{
    const bool is_sound =
        std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; });
    const bool has_dashes = name.starts_with('-') || name.ends_with('-') || name.find("--") != std::string_view::npos;
    if (name.empty() || name.size() > 64 || !is_sound || has_dashes)
        return "the name of a skill has 1 to 64 of a-z, 0-9 and single \"-\" between them";
    return {};
}

bool is_file_name(std::string_view text)
{
    return text.find('/') == std::string_view::npos && path_problem(text).empty();
}

std::string_view last_segment(std::string_view path) noexcept
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view parent_of(std::string_view path) noexcept
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string uri_of(std::string_view path)
{
    std::string uri(scheme);
    for (const char c : path)
        if (c == '/')
            uri.push_back(c);
        else
            append_byte(uri, c);
    return uri;
}

std::optional<std::string> path_of(std::string_view uri)
{
    if (!uri.starts_with(scheme) || uri.size() > max_uri)
        return std::nullopt;
    return decode(uri.substr(scheme.size()));
}

std::optional<std::string> spelling_key(std::string_view uri)
{
    if (uri.size() > max_uri)
        return std::nullopt;
    const std::string_view front = scheme_of(uri);
    const std::optional<std::vector<std::string>> segments = spelled_alike(uri.substr(front.size()));
    if (!segments || std::any_of(segments->begin(), segments->end(), is_dots))
        return std::nullopt;
    return lower_case(front) + join(*segments);
}

std::optional<std::string_view> root_of(std::string_view skill_uri) noexcept
{
    if (!skill_uri.ends_with(entry_file) || skill_uri.find_first_of("?#") != std::string_view::npos)
        return std::nullopt;
    const std::string_view front = scheme_of(skill_uri);
    const std::string_view root = skill_uri.substr(0, skill_uri.size() - entry_file.size());
    const bool has_folder = root.find_first_not_of('/', front.size() + 1) != std::string_view::npos &&
                            root.ends_with('/') && !root.ends_with("//");
    return !front.empty() && has_folder ? std::optional(root) : std::nullopt;
}

std::optional<std::string> name_in(std::string_view skill_uri)
{
    const std::optional<std::string_view> root = root_of(skill_uri);
    return root ? decode(last_segment(root->substr(0, root->size() - 1))) : std::nullopt;
}

// The segments of the root are compared as those of the file are, so that it may be spelled in another way there.
std::optional<std::string> key_of_uri(std::string_view skill_uri, std::string_view uri)
{
    const std::optional<std::string_view> root = root_of(skill_uri);
    if (!root)
        return std::nullopt;
    std::optional<std::vector<std::string>> file = spelled_alike(without_fragment(uri));
    std::optional<std::vector<std::string>> folder = spelled_alike(*root);
    if (!file || !folder)
        return std::nullopt;
    folder->pop_back(); // what is behind the last "/"
    if (file->size() <= folder->size() || !std::equal(folder->begin(), folder->end(), file->begin()))
        return std::nullopt;
    file->erase(file->begin(), file->begin() + static_cast<std::ptrdiff_t>(folder->size()));
    return resolve(*file);
}

std::optional<std::string> file_key(std::string_view skill_uri, std::string_view reference)
{
    if (is_uri_for(skill_uri, reference))
        return key_of_uri(skill_uri, reference);
    reference = without_fragment(reference);
    if (reference.empty() || reference.front() == '/')
        return std::nullopt;
    const std::optional<std::vector<std::string>> file = spelled_alike(reference);
    return file && root_of(skill_uri) ? resolve(*file) : std::nullopt;
}

bool has_file_names(std::string_view key)
{
    const std::vector<std::string_view> segments = split(key);
    return std::all_of(segments.begin(), segments.end(), [](std::string_view one) {
        const std::optional<std::string> name = decode(one);
        return name && is_file_name(*name);
    });
}

std::string_view uri_in(std::string_view skill_uri, std::string_view reference)
{
    return is_uri_for(skill_uri, reference) ? without_fragment(reference) : std::string_view();
}

std::string file_uri(std::string_view skill_uri, std::string_view key)
{
    return std::string(root_of(skill_uri).value_or("")).append(key);
}

} // namespace partyline::mcp::skills
