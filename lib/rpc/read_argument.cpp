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

error_object refused(std::string_view expected, std::string_view got)
{
    return {error_codes::invalid_params, "Invalid params", json::object{{"expected", expected}, {"got", got}}};
}

// Whether the params are of a kind, by how their text begins.
std::optional<error_object> check_kind(json_view params, char first, std::string_view expected)
{
    if (params.empty())
        return refused(expected, "nothing");
    if (params.text().front() != first)
        return refused(expected, first == '{' ? "array" : "object");
    return std::nullopt;
}

std::string joined_names(array_view<const member_row> rows)
{
    std::vector<std::string_view> names;
    for (const member_row& row : rows)
        names.push_back(row.name.text);
    return joined(names);
}

// A member of a struct: whether the next one is to be read.
template <class Read>
bool attempt(problem_list* problems, Read read)
{
    return problems ? problems->attempt(read) : read();
}

bool check_member_names(const json::object& object, const parameter_place& place, const member_table& table)
{
    for (const json::key_value_pair& member : object) {
        const std::string_view name = member.key();
        const auto is_it = [&](const member_row& row) { return row.name.text == name; };
        if (std::any_of(table.rows.begin(), table.rows.end(), is_it))
            continue;
        if (table.unknown.value_or(place.unknown()) == unknown_members::ignored)
            return true;
        if (place.is_own_member(name))
            continue;
        if (!place.problems() || place.problems()->is_full())
            return false;
        refuse_unknown_name(place, name, joined_names(table.rows));
    }
    return true;
}

} // namespace

bool read_arguments(void* into, argument_source& source, array_view<const argument_step> steps)
{
    if (!source.is_matched())
        return false;
    bool are_read = true;
    for (std::size_t i = 0; i != steps.size(); ++i)
        source.problems().attempt([&] { are_read = steps[i](into, source, i) && are_read; });
    return are_read && source.problems().empty();
}

boost::system::result<json::value, error_object> read_whole_object(json_view params)
{
    if (const std::optional<error_object> refusal = check_kind(params, '{', "object"))
        return *refusal;
    return params.try_to_value();
}

boost::system::result<json::value, error_object> read_whole_array(json_view params)
{
    if (const std::optional<error_object> refusal = check_kind(params, '[', "array"))
        return *refusal;
    return params.try_to_value();
}

std::optional<error_object> read_whole_by(bool (*read)(const json::value&, const parameter_place&, void* into),
                                          const request_context& context, json_view params, std::string (*expected)(),
                                          void* into)
{
    if (params.empty())
        return refused(expected(), "nothing");
    const boost::system::result<json::value, error_object> value = params.try_to_value();
    if (!value)
        return value.error();
    problem_list problems;
    reading how(context, &problems);
    bool is_read = false;
    problems.attempt([&] { is_read = read(*value, parameter_place(how), into); });
    if (is_read && problems.empty())
        return std::nullopt;
    return problems.take();
}

std::string array_of(std::size_t size)
{
    return "array of " + counted(size, "element");
}

const json::array* read_array_of(const json::value& value, const parameter_place& place, std::size_t size)
{
    const json::array* const array = value.if_array();
    if (array && array->size() == size)
        return array;
    if (place.problems() && !array)
        refuse_kind(place, array_of(size), value);
    else if (place.problems())
        refuse(place, array_of(size), array_of(array->size()));
    return nullptr;
}

bool read_members(void* into, const member_table& table, const json::value& value, const parameter_place& place)
{
    const json::object* const object = read_object(value, place);
    if (!object || !check_member_names(*object, place, table))
        return false;
    const auto read_one = [&](const member_row& row) {
        const parameter_place at(place, row.name.text);
        return attempt(place.problems(), [&] { return row.read(into, object->if_contains(row.name.text), at); });
    };
    return std::all_of(table.rows.begin(), table.rows.end(), read_one);
}

std::string enumerator_names::expected() const
{
    return "one of " + joined(names);
}

std::optional<std::size_t> enumerator_names::read(const json::value& value, const parameter_place& place) const
{
    const json::string* const text = value.if_string();
    const auto found = text ? std::find(names.begin(), names.end(), std::string_view(*text)) : names.end();
    if (found != names.end())
        return static_cast<std::size_t>(found - names.begin());
    if (place.problems() && !text)
        refuse_kind(place, expected(), value);
    else if (place.problems())
        refuse(place, expected(), std::string_view(*text));
    return std::nullopt;
}

std::string enumerator_numbers::expected() const
{
    std::vector<std::string> texts;
    for (const std::int64_t number : numbers)
        texts.push_back(std::to_string(number));
    return "one of " + joined(texts);
}

std::optional<std::size_t> enumerator_numbers::read(const json::value& value, const parameter_place& place) const
{
    if (!value.is_number()) {
        if (place.problems())
            refuse_kind(place, expected(), value);
        return std::nullopt;
    }
    using limits = std::numeric_limits<std::int64_t>;
    std::int64_t number = 0;
    if (!read_signed(value, place, limits::min(), limits::max(), number))
        return std::nullopt;
    const auto found = std::find(numbers.begin(), numbers.end(), number);
    if (found != numbers.end())
        return static_cast<std::size_t>(found - numbers.begin());
    if (place.problems())
        refuse(place, expected(), std::to_string(number));
    return std::nullopt;
}

} // namespace partyline::detail
