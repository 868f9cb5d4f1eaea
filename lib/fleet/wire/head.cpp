#include "fleet/wire/head.hpp"

#include "fleet/wire/names.hpp"
#include "protocol/json/for_each_member.hpp"
#include "protocol/json/number_writer.hpp"
#include "protocol/json/read_string.hpp"
#include "protocol/json/scanner.hpp"
#include "protocol/json/string_writer.hpp"

#include <algorithm>

namespace partyline::fleet {
namespace {

constexpr std::size_t max_depth = 4;
constexpr std::uint64_t max_exact = std::uint64_t(1) << 53; // what all readers of JSON see as the same number

} // namespace

split_payload split(std::string_view payload) noexcept
{
    const std::size_t end = payload.substr(0, max_head_bytes + 1).find('\n');
    if (end == payload.npos)
        return {};
    return {payload.substr(0, end), payload.substr(end + 1), true};
}

bool is_plain(std::string_view text, std::size_t max_bytes) noexcept
{
    return text.size() <= max_bytes && std::none_of(text.begin(), text.end(), [](char c) {
               return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
           });
}

std::string_view head_reader::take(std::string_view name, std::string_view value) noexcept
{
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
        return "a member that is not known";
    json_view& slot = values_[found - names_.begin()];
    if (!slot.empty())
        return "a member that is there twice";
    slot = json_view::checked(value);
    return {};
}

std::string_view head_reader::read(const std::string& text)
{
    scanner scan;
    scan.start(text);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    const char* const begin = text.c_str();
    if (*begin != '{')
        return "no object before the message";
    std::string_view why;
    std::string memory;
    const char* const end = visit_members(scan, begin, max_depth, memory, [&](const member_text& one) {
        if (why.empty())
            why = take(one.name, one.value);
    });
    if (!end || end != begin + text.size())
        return "no JSON before the message";
    return why;
}

bool head_reader::text(std::size_t index, std::string& out) const
{
    std::string_view read;
    std::string memory;
    if (values_[index].empty())
        return true;
    if (!read_string(values_[index], read, memory))
        return false;
    out.assign(read);
    return true;
}

bool head_reader::number(std::size_t index, std::uint64_t& out) const noexcept
{
    if (values_[index].empty())
        return true;
    const auto read = read_number(values_[index].text());
    out = read.value_or(0);
    return read && *read <= max_exact;
}

bool head_reader::flag(std::size_t index, bool& out) const noexcept
{
    const std::string_view text = values_[index].text();
    out = text == "true" || (text.empty() && out);
    return text.empty() || text == "true" || text == "false";
}

void head_writer::text(std::string_view name, std::string_view value)
{
    append_name(out_, mark_, name);
    append_string(out_, value, bad_bytes::replace);
    mark_ = ',';
}

void head_writer::number(std::string_view name, std::uint64_t value)
{
    append_name(out_, mark_, name);
    append_number(out_, value);
    mark_ = ',';
}

void head_writer::raw(std::string_view name, std::string_view json)
{
    append_name(out_, mark_, name);
    out_.append(json);
    mark_ = ',';
}

std::string head_writer::finish(std::string_view message)
{
    std::string text;
    text.reserve(out_.size() + 2 + message.size());
    text += out_.view();
    text += "}\n";
    return text.append(message);
}

std::string text_list(std::span<const std::string> texts)
{
    byte_buffer out;
    out.push_back('[');
    for (const std::string& text : texts) {
        if (out.size() > 1)
            out.push_back(',');
        append_string(out, text, bad_bytes::replace);
    }
    out.push_back(']');
    return std::string(out.view());
}

bool read_text_list(json_view from, std::size_t max, std::vector<std::string>& out)
{
    if (!from.text().starts_with('['))
        return false;
    scanner scan;
    scan.start(from.text());
    const char* p = scanner::skip_space(from.text().data() + 1);
    while (*p != ']') {
        std::string_view text;
        std::string memory;
        const char* const end = scan.skip_value(p, max_depth);
        const std::string_view value(p, static_cast<std::size_t>(end - p));
        if (out.size() == max || !read_string(json_view::checked(value), text, memory))
            return false;
        out.emplace_back(text);
        p = scanner::skip_space(end);
        p = *p == ',' ? scanner::skip_space(p + 1) : p;
    }
    return true;
}

} // namespace partyline::fleet
