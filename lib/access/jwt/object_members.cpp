#include "access/jwt/object_members.hpp"

#include "protocol/json/for_each_member.hpp"
#include "protocol/json/read_string.hpp"
#include "protocol/json/scanner.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace partyline::access {

std::optional<object_members> object_members::read(std::string text, std::size_t depth)
{
    object_members all;
    all.text_ = std::move(text);
    scanner scan;
    scan.start(all.text_);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    const char* const object = scanner::skip_space(all.text_.c_str());
    if (*object != '{')
        return std::nullopt;
    std::string memory;
    const char* const end = visit_members(scan, object, depth, memory, [&](const member_text& one) {
        const auto begin = static_cast<std::size_t>(one.value.data() - all.text_.data());
        all.members_.push_back({std::string(one.name), begin, one.value.size()});
    });
    if (!end || !scan.at_end(end) || !all.sort_by_name())
        return std::nullopt;
    return all;
}

// False where a name comes twice.
bool object_members::sort_by_name()
{
    std::sort(members_.begin(), members_.end(), [](const member& a, const member& b) { return a.name < b.name; });
    return std::adjacent_find(members_.begin(), members_.end(),
                              [](const member& a, const member& b) { return a.name == b.name; }) == members_.end();
}

json_view object_members::find(std::string_view name) const noexcept
{
    const auto found = std::lower_bound(members_.begin(), members_.end(), name,
                                        [](const member& one, std::string_view wanted) { return one.name < wanted; });
    if (found == members_.end() || found->name != name)
        return {};
    return json_view::checked({text_.data() + found->begin, found->size});
}

std::optional<std::string> text_of(json_view value)
{
    std::string_view text;
    std::string memory;
    if (!read_string(value, text, memory))
        return std::nullopt;
    return std::string(text);
}

std::optional<double> number_of(json_view value) noexcept
{
    const std::string_view text = value.text();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = !text.empty() && (text[0] == '-' || scanner::is_digit(text[0])); // not "inf", "nan", null
    if (!is_number || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::optional<std::vector<json_view>> elements_of(json_view value)
{
    if (!value.text().starts_with('['))
        return std::nullopt;
    std::vector<json_view> elements;
    scanner scan;
    scan.start(value.text());
    const char* p = scanner::skip_space(value.text().data() + 1);
    while (*p != ']') {
        const char* const end = scan.skip_value(p, std::numeric_limits<std::size_t>::max());
        elements.push_back(json_view::checked({p, static_cast<std::size_t>(end - p)}));
        p = scanner::skip_space(end);
        if (*p == ',')
            p = scanner::skip_space(p + 1);
    }
    return elements;
}

} // namespace partyline::access
