#include "http/oauth/form.hpp"

#include "http/wire/characters.hpp"

#include <algorithm>

namespace partyline::http {
namespace {

constexpr std::uint8_t is_unreserved = is_name_char;

int hexadecimal_value(char digit) noexcept
{
    if (is_digit(digit))
        return digit - '0';
    const char lower = static_cast<char>(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> form_decoded(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hexadecimal_value(text[i + 1]) : -1;
        const int low = high < 0 ? -1 : hexadecimal_value(text[i + 2]);
        if (low < 0)
            return std::nullopt;
        decoded += static_cast<char>(high << 4 | low);
        i += 2;
    }
    return decoded;
}

} // namespace

std::string form_encoded(std::string_view text)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_in(c, is_unreserved))
            encoded += c;
        else
            (encoded += '%').append({digits[byte >> 4], digits[byte & 15]});
    }
    return encoded;
}

form_writer& form_writer::add(std::string_view name, std::string_view value)
{
    text_ += text_.empty() ? "" : "&";
    text_.append(form_encoded(name)).append("=").append(form_encoded(value));
    return *this;
}

std::optional<form_fields> form_fields::read(std::string_view text)
{
    form_fields all;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        if (one.empty())
            continue;
        const std::size_t equals = std::min(one.find('='), one.size());
        std::optional<std::string> name = form_decoded(one.substr(0, equals));
        std::optional<std::string> value = form_decoded(one.substr(std::min(equals + 1, one.size())));
        if (!name || !value)
            return std::nullopt;
        all.sorted_.emplace_back(std::move(*name), std::move(*value));
    }
    std::sort(all.sorted_.begin(), all.sorted_.end());
    const auto same_name = [](const auto& one, const auto& next) { return one.first == next.first; };
    if (std::adjacent_find(all.sorted_.begin(), all.sorted_.end(), same_name) != all.sorted_.end())
        return std::nullopt;
    return all;
}

std::optional<std::string> form_fields::find(std::string_view name) const
{
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), name,
                                        [](const auto& one, std::string_view wanted) { return one.first < wanted; });
    if (found == sorted_.end() || found->first != name)
        return std::nullopt;
    return found->second;
}

} // namespace partyline::http
