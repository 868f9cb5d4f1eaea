#include <partyline/rpc/detail/read_described.hpp>

#include <algorithm>

namespace partyline::detail {
namespace {

namespace json = boost::json;

std::string joined(std::span<const std::string_view> names)
{
    std::string text;
    for (const std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

} // namespace

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
