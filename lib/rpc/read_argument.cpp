// What the templates that read arguments have in common: whole objects and arrays, containers, described types.

#include <partyline/rpc/detail/read_argument.hpp>

#include "rpc/wording.hpp"

#include <partyline/rpc/detail/problem_list.hpp>
#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace json = boost::json;

namespace partyline::detail {
namespace {

void check_kind(json_view params, char first, std::string_view expected)
{
    if (params.empty())
        throw_missing(parameter_place(), expected);
    if (params.text().front() != first)
        throw_invalid_params(parameter_place(), expected, first == '{' ? "array" : "object");
}

std::string joined_names(array_view<const member_row> rows)
{
    std::vector<std::string_view> names;
    for (const member_row& row : rows)
        names.push_back(row.name.text);
    return joined(names);
}

template <class Attempt>
void check_member_names(const json::object& object, const parameter_place& place, const member_table& table,
                        Attempt attempt)
{
    for (const json::key_value_pair& member : object) {
        const std::string_view name = member.key();
        const auto is_it = [&](const member_row& row) { return row.name.text == name; };
        if (std::any_of(table.rows.begin(), table.rows.end(), is_it))
            continue;
        if (table.unknown.value_or(place.unknown()) == unknown_members::ignored)
            return;
        if (place.is_own_member(name))
            continue;
        attempt([&] { throw_unknown_name(place, name, joined_names(table.rows)); });
    }
}

// What was wrong the first time is not any more.
[[noreturn]] void throw_changed()
{
    throw rpc_error(error_codes::invalid_params, "Invalid params");
}

} // namespace

void throw_all_problems(void* into, argument_source& source, array_view<const argument_step> steps)
{
    problem_list problems;
    source.collect(problems);
    for (std::size_t i = 0; i != steps.size(); ++i)
        problems.attempt([&] { steps[i](into, source, i); });
    problems.throw_any();
    throw_changed();
}

void read_members_of_params(void* into, argument_source& source, array_view<const argument_step> steps)
{
    try {
        if (!source.has_unknown()) [[likely]] {
            for (std::size_t i = 0; i != steps.size(); ++i)
                steps[i](into, source, i);
            return;
        }
    } catch (const rpc_error&) { // it is not the only problem, maybe
    }
    throw_all_problems(into, source, steps);
}

json::object read_whole_object(json_view params)
{
    check_kind(params, '{', "object");
    return std::move(params.to_value().as_object());
}

json::array read_whole_array(json_view params)
{
    check_kind(params, '[', "array");
    return std::move(params.to_value().as_array());
}

void throw_whole_problems(const request_context& context, const json::value& params,
                          void (*read)(const json::value&, const parameter_place&))
{
    problem_list problems;
    reading how(context);
    how.collect(problems);
    problems.attempt([&] { read(params, parameter_place(how)); });
    problems.throw_any();
    throw_changed();
}

bool is_array_of(const json::value& value, std::size_t size) noexcept
{
    const json::array* const array = value.if_array();
    return array && array->size() == size;
}

std::string array_of(std::size_t size)
{
    return "array of " + counted(size, "element");
}

const json::array& read_array_of(const json::value& value, const parameter_place& place, std::size_t size)
{
    const json::array* array = value.if_array();
    if (!array)
        throw_wrong_kind(place, array_of(size), value);
    if (array->size() != size)
        throw_invalid_params(place, array_of(size), array_of(array->size()));
    return *array;
}

void read_members(void* into, const member_table& table, const json::value& value, const parameter_place& place)
{
    const json::object& object = read_object(value, place);
    problem_list* const problems = place.problems();
    const auto attempt = [&](auto read) { problems ? problems->attempt(read) : read(); };
    check_member_names(object, place, table, attempt);
    for (const member_row& row : table.rows) {
        const parameter_place at(place, row.name.text);
        attempt([&] { row.read(into, object.if_contains(row.name.text), at); });
    }
}

bool has_members(array_view<const member_row> rows, const json::value& value) noexcept
{
    const json::object* const object = value.if_object();
    const auto could_be = [&](const member_row& row) {
        const json::value* const given = object->if_contains(row.name.text);
        if (!given || (given->is_null() && !row.is_required))
            return !row.is_required;
        return !row.fits || row.fits(*given);
    };
    return object && std::all_of(rows.begin(), rows.end(), could_be);
}

bool enumerator_names::fits(const json::value& value) const noexcept
{
    const json::string* const text = value.if_string();
    return text && std::find(names.begin(), names.end(), std::string_view(*text)) != names.end();
}

bool enumerator_numbers::fits(const json::value& value) const noexcept
{
    using limits = std::numeric_limits<std::int64_t>;
    if (!is_signed_within(value, limits::min(), limits::max()))
        return false;
    const std::int64_t number = read_signed(value, parameter_place(), limits::min(), limits::max());
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::string enumerator_names::expected() const
{
    return "one of " + joined(names);
}

std::size_t enumerator_names::read(const json::value& value, const parameter_place& place) const
{
    const json::string* text = value.if_string();
    if (!text)
        throw_wrong_kind(place, expected(), value);
    const auto found = std::find(names.begin(), names.end(), std::string_view(*text));
    if (found == names.end())
        throw_invalid_params(place, expected(), std::string_view(*text));
    return static_cast<std::size_t>(found - names.begin());
}

std::string enumerator_numbers::expected() const
{
    std::vector<std::string> texts;
    for (const std::int64_t number : numbers)
        texts.push_back(std::to_string(number));
    return "one of " + joined(texts);
}

std::size_t enumerator_numbers::read(const json::value& value, const parameter_place& place) const
{
    if (!value.is_number())
        throw_wrong_kind(place, expected(), value);
    using limits = std::numeric_limits<std::int64_t>;
    const std::int64_t number = read_signed(value, place, limits::min(), limits::max());
    const auto found = std::find(numbers.begin(), numbers.end(), number);
    if (found == numbers.end())
        throw_invalid_params(place, expected(), std::to_string(number));
    return static_cast<std::size_t>(found - numbers.begin());
}

} // namespace partyline::detail
