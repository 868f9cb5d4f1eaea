#include "http/sessions/mirrored_fields.hpp"

#include "http/mcp/base64_value.hpp"
#include "http/mcp/mirrored_value.hpp"
#include "http/wire/characters.hpp"
#include "protocol/json/read_double.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace partyline::http {
namespace {

std::optional<std::int64_t> integer_in(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<double> double_in(std::string_view text)
{
    double number = 0;
    const char* const end = read_double(text.data(), text.data() + text.size(), number);
    return end && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// 42 is 42.0. No integer that a client may repeat is beyond what a double holds exactly.
bool is_same_number(std::string_view told, std::string_view expected)
{
    if (told.find_first_not_of("0123456789+-.eE") != told.npos)
        return false; // such as inf
    const std::optional<std::int64_t> integer = integer_in(expected);
    if (const std::optional<std::int64_t> other = integer_in(told); integer && other)
        return integer == other;
    const std::optional<double> number = double_in(expected);
    constexpr double most = 9007199254740991;
    return number && std::abs(*number) <= most && number == double_in(told);
}

bool is_same(const std::string& told, const mirrored_value& expected)
{
    return told == expected.text || (expected.is_number && is_same_number(told, expected.text));
}

} // namespace

std::optional<field_mismatch> find_mismatch(const request_head& head, message_reader& reader,
                                            const mirrored_arguments& of)
{
    for (const auto& [field, path] : of) {
        const std::string name = lower_case("mcp-param-" + field);
        const std::optional<mirrored_value> expected = find_mirrored(reader, path);
        const std::size_t count = head.count(name);
        if (!expected && count == 0)
            continue;
        const std::string_view told = head.find(name);
        const std::optional<std::string> actual = count == 1 ? decode_field_value(told) : std::nullopt;
        if (!expected || !actual || !is_same(*actual, *expected))
            return field_mismatch{"Mcp-Param-" + field, expected ? expected->text : std::string(), std::string(told)};
    }
    return std::nullopt;
}

} // namespace partyline::http
