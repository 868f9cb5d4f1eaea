// What the templates that read arguments have in common: whole objects and arrays, containers, described types.

#include <partyline/rpc/detail/read_argument.hpp>

#include <partyline/rpc/detail/problem_list.hpp>
#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <algorithm>
#include <limits>

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

std::string_view name_of(std::string_view name)
{
    return name;
}
std::string_view name_of(const member_row& row)
{
    return row.name;
}

template <class Named>
std::string joined(std::span<const Named> all)
{
    std::string text;
    for (const Named& one : all)
        text.append(&one == all.data() ? "" : ", ").append(name_of(one));
    return text;
}

template <class Attempt>
void check_member_names(const json::object& object, const parameter_place& place, std::span<const member_row> rows,
                        Attempt attempt)
{
    for (const json::key_value_pair& member : object) {
        const std::string_view name = member.key();
        const auto is_it = [&](const member_row& row) { return row.name == name; };
        if (std::none_of(rows.begin(), rows.end(), is_it))
            attempt([&] { throw_unknown_name(place, name, joined(rows)); });
    }
}

} // namespace

void throw_all_problems(argument_source& source, std::span<const argument_check> checks)
{
    problem_list problems;
    source.collect(problems);
    for (std::size_t i = 0; i != checks.size(); ++i)
        problems.attempt([&] { checks[i](source, i); });
    problems.throw_any();
    throw rpc_error(error_codes::invalid_params, "Invalid params"); // what was wrong the first time is not any more
}

void read_member_arguments(void* into, argument_source& source, std::span<const member_argument> members)
{
    try {
        if (!source.has_unknown()) [[likely]] {
            for (std::size_t i = 0; i != members.size(); ++i)
                members[i](into, source, i);
            return;
        }
    } catch (const rpc_error&) { // it is not the only problem, maybe
    }
    problem_list problems;
    source.collect(problems);
    for (std::size_t i = 0; i != members.size(); ++i)
        problems.attempt([&] { members[i](into, source, i); });
    problems.throw_any();
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

std::string array_of(std::size_t size)
{
    return "array of " + std::to_string(size) + (size == 1 ? " element" : " elements");
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

void read_members(void* into, std::span<const member_row> rows, const json::value& value, const parameter_place& place)
{
    const json::object& object = read_object(value, place);
    const auto attempt = [&](auto read) { place.problems() ? place.problems()->attempt(read) : read(); };
    if (!place.allows_unknown())
        check_member_names(object, place, rows, attempt);
    for (const member_row& row : rows) {
        const parameter_place at(place, row.name);
        attempt([&] { row.read(into, object.if_contains(row.name), at); });
    }
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
    std::string text = "one of ";
    for (const std::int64_t& number : numbers)
        text.append(&number == numbers.data() ? "" : ", ").append(std::to_string(number));
    return text;
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
