// What is typed for a field, and whether it fits.

#include "call/methods/signature.hpp"
#include "form_field.hpp"

#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace json = boost::json;

namespace call {
namespace {

using kind = form_field::kind;

typed_value wrong(std::string problem)
{
    return {std::nullopt, std::move(problem)};
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blank = " \t\r";
    const std::size_t first = text.find_first_not_of(blank);
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<json::value> parsed(std::string_view text)
{
    boost::system::error_code failed;
    json::value read = json::parse(text, failed);
    return failed ? std::nullopt : std::optional(std::move(read));
}

std::size_t characters_in(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_integer(const json::value& value)
{
    return value.is_int64() || value.is_uint64() ||
           (value.is_double() && std::trunc(value.get_double()) == value.get_double());
}

std::string size_misfit(const form_field& field, std::size_t size, std::string_view unit)
{
    if (field.min_size && size < *field.min_size)
        return "it has to be at least " + std::to_string(*field.min_size) + std::string(unit);
    if (field.max_size && size > *field.max_size)
        return "it may be at most " + std::to_string(*field.max_size) + std::string(unit);
    return {};
}

std::string number_misfit(const form_field& field, const json::value& value)
{
    if (!value.is_number())
        return field.type == kind::integer ? "it is no integer" : "it is no number";
    if (field.type == kind::integer && !is_integer(value))
        return "it is no integer";
    const double number = value.to_number<double>();
    if (!std::isfinite(number))
        return "it is too large";
    if (field.least && number < *field.least)
        return "it has to be at least " + number_words(*field.least);
    if (field.most && number > *field.most)
        return "it may be at most " + number_words(*field.most);
    return {};
}

bool is_choice(const form_field& field, const json::value& value)
{
    return std::ranges::any_of(field.choices, [&](const form_choice& each) { return each.value == value; });
}

std::string choices_misfit(const form_field& field, const json::value& value)
{
    if (!value.is_array())
        return "it is no list of choices";
    for (const json::value& each : value.get_array()) {
        if (!is_choice(field, each))
            return "there is no such choice: " + json_words(each);
    }
    return size_misfit(field, value.get_array().size(), " of them");
}

// By its value, its number, or its title; in this order, since values may look like numbers.
const form_choice* find_choice(const form_field& field, std::string_view typed)
{
    const auto value = std::ranges::find_if(field.choices, [&](const form_choice& each) {
        return each.value.is_string() ? std::string_view(each.value.get_string()) == typed
                                      : json_words(each.value) == typed;
    });
    if (value != field.choices.end())
        return &*value;
    std::size_t number = 0;
    const auto [end, failed] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
    if (failed == std::errc() && end == typed.data() + typed.size() && number >= 1 && number <= field.choices.size())
        return &field.choices[number - 1];
    const auto title = std::ranges::find(field.choices, typed, &form_choice::title);
    return title != field.choices.end() && !typed.empty() ? &*title : nullptr;
}

typed_value read_choice(const form_field& field, std::string_view typed)
{
    const form_choice* const found = find_choice(field, typed);
    return found ? typed_value{found->value, {}} : wrong("there is no such choice");
}

typed_value read_choices(const form_field& field, std::string_view typed)
{
    if (typed.starts_with('[')) {
        std::optional<json::value> whole = parsed(typed);
        return whole ? typed_value{std::move(whole), {}} : wrong("it is no JSON array");
    }
    json::array all;
    for (std::size_t begin = 0; begin <= typed.size();) {
        const std::size_t comma = std::min(typed.find(',', begin), typed.size());
        typed_value one = read_choice(field, trimmed(typed.substr(begin, comma - begin)));
        if (!one.value)
            return one;
        if (std::ranges::find(all, *one.value) == all.end())
            all.push_back(*std::move(one.value));
        begin = comma + 1;
    }
    return {json::value(std::move(all)), {}};
}

typed_value read_boolean(std::string_view typed)
{
    for (const std::string_view yes : {"y", "yes", "true"})
        if (typed == yes)
            return {json::value(true), {}};
    for (const std::string_view no : {"n", "no", "false"})
        if (typed == no)
            return {json::value(false), {}};
    return wrong("it is neither yes nor no");
}

typed_value read_text(std::string_view line)
{
    if (partyline::to_valid_utf8(line) != line)
        return wrong("it is not UTF-8");
    if (line.starts_with('"')) {
        std::optional<json::value> quoted = parsed(line);
        if (quoted && quoted->is_string())
            return {std::move(quoted), {}};
    }
    return {json::value(line), {}};
}

typed_value read_json(std::string_view typed, std::string_view otherwise)
{
    std::optional<json::value> read = parsed(typed);
    return read ? typed_value{std::move(read), {}} : wrong(std::string(otherwise));
}

// 1e3 becomes 1000: what is written as a fraction would be none for some servers.
typed_value read_integer(std::string_view typed)
{
    constexpr double longest = 9007199254740992; // up to 2^53 each integer is a double
    typed_value read = read_json(typed, "it is no integer");
    const bool is_fraction = read.value && read.value->is_double() && is_integer(*read.value);
    if (is_fraction && std::abs(read.value->get_double()) <= longest)
        read.value = static_cast<std::int64_t>(read.value->get_double());
    return read;
}

typed_value read_kind(const form_field& field, std::string_view line)
{
    const std::string_view typed = trimmed(line);
    switch (field.type) {
    case kind::text: return read_text(line);
    case kind::integer: return read_integer(typed);
    case kind::number: return read_json(typed, "it is no number");
    case kind::boolean: return read_boolean(typed);
    case kind::choice: return read_choice(field, typed);
    case kind::choices: return read_choices(field, typed);
    default: return read_json(typed, "it is not JSON");
    }
}

typed_value read_nothing(const form_field& field)
{
    if (field.otherwise)
        return {field.otherwise, {}};
    return field.is_required ? wrong("it may not be left out") : typed_value();
}

} // namespace

std::string number_words(double number)
{
    std::array<char, 32> text{};
    const auto [end, failed] = std::to_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc() ? std::string(text.data(), end) : std::string();
}

std::string misfit_of(const form_field& field, const json::value& value)
{
    switch (field.type) {
    case kind::text:
        return value.is_string() ? size_misfit(field, characters_in(value.get_string()), " characters")
                                 : "it is no text";
    case kind::integer:
    case kind::number: return number_misfit(field, value);
    case kind::boolean: return value.is_bool() ? "" : "it is neither yes nor no";
    case kind::choice: return is_choice(field, value) ? "" : "there is no such choice";
    case kind::choices: return choices_misfit(field, value);
    default: return {};
    }
}

typed_value read_typed(const form_field& field, std::string_view line)
{
    if (trimmed(line).empty())
        return read_nothing(field);
    typed_value read = read_kind(field, line);
    if (!read.value)
        return read;
    if (std::string problem = misfit_of(field, *read.value); !problem.empty())
        return wrong(std::move(problem));
    return read;
}

} // namespace call
