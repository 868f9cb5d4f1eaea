// What the templates that read arguments have in common: whole objects and arrays, containers, described types.

#include <partyline/rpc/detail/read_argument.hpp>

#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <algorithm>

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

std::string joined(std::span<const std::string_view> names)
{
    std::string text;
    for (const std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

} // namespace

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

void check_member_names(const json::object& object, const parameter_place& place,
                        std::span<const std::string_view> names)
{
    for (const json::key_value_pair& member : object) {
        const std::string_view name = member.key();
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw_unknown_name(place, name, joined(names));
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

} // namespace partyline::detail
