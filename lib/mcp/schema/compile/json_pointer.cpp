#include "mcp/schema/compile/json_pointer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <charconv>

namespace json = boost::json;

namespace partyline::mcp::detail {
namespace {

// "~01" is "~1".
std::string unescaped(std::string_view step)
{
    std::string name;
    for (std::size_t i = 0; i < step.size(); ++i) {
        const bool is_escape = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
        name += !is_escape ? step[i] : step[++i] == '0' ? '~' : '/';
    }
    return name;
}

const json::value* element(const json::array& elements, std::string_view step)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    const bool is_index = error == std::errc() && end == step.data() + step.size();
    return is_index ? elements.if_contains(index) : nullptr;
}

const json::value* follow(const json::value& from, std::string_view step)
{
    if (const json::object* const members = from.if_object())
        return members->if_contains(unescaped(step));
    if (const json::array* const elements = from.if_array())
        return element(*elements, step);
    return nullptr;
}

} // namespace

void append_to_pointer(std::string& pointer, std::string_view name)
{
    pointer += '/';
    for (const char c : name) {
        if (c == '~')
            pointer += "~0";
        else if (c == '/')
            pointer += "~1";
        else
            pointer += c;
    }
}

const json::value* find_by_pointer(const json::value& whole, std::string_view pointer)
{
    const json::value* at = &whole;
    while (at && !pointer.empty()) {
        if (pointer.front() != '/')
            return nullptr;
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        at = follow(*at, pointer.substr(1, end - 1));
        pointer.remove_prefix(end);
    }
    return at;
}

std::optional<std::string> percent_decoded(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        unsigned char byte = 0;
        const char* const digits = text.data() + i + 1;
        if (text.size() - i < 3 || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
            return std::nullopt;
        plain += static_cast<char>(byte);
        i += 2;
    }
    return plain;
}

} // namespace partyline::mcp::detail
