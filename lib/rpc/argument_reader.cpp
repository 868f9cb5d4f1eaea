// What the templates that read types have in common.

#include <partyline/rpc/detail/argument_reader.hpp>

#include "rpc/wording.hpp"

#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>

#include <boost/core/demangle.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::detail {
namespace {

bool is_number(json::kind kind) noexcept
{
    return kind == json::kind::int64 || kind == json::kind::uint64 || kind == json::kind::double_;
}

} // namespace

std::string convertible_to(const std::type_info& type)
{
    return "a value convertible to " + boost::core::demangle(type.name());
}

bool read_array(json_source& from, json::array& into)
{
    json::value value;
    if (from.kind() != json::kind::array)
        return from.refuse_kind(&argument_reader<json::array>::expected);
    if (!from.read_value(value))
        return false;
    into = std::move(value.get_array());
    return true;
}

bool read_object(json_source& from, json::object& into)
{
    json::value value;
    if (from.kind() != json::kind::object)
        return from.refuse_kind(&argument_reader<json::object>::expected);
    if (!from.read_value(value))
        return false;
    into = std::move(value.get_object());
    return true;
}

bool read_path(json_source& from, std::string& into)
{
    if (!from.read_string(into))
        return false;
    return into.find('\0') == into.npos || from.refuse("string without NUL characters", "one with");
}

std::string array_of(std::size_t size)
{
    return "array of " + counted(size, "element");
}

std::string one_of(array_view<const std::string_view> names)
{
    return "one of " + joined(names);
}

std::string one_of(array_view<const std::int64_t> numbers)
{
    std::vector<std::string> texts;
    for (const std::int64_t number : numbers)
        texts.push_back(std::to_string(number));
    return "one of " + joined(texts);
}

bool read_enumerator(json_source& from, array_view<const std::string_view> names, expected_words expected,
                     std::size_t& index)
{
    std::string_view text;
    if (from.kind() != json::kind::string)
        return from.refuse_kind(expected);
    if (!from.read_string(text))
        return false;
    const auto found = std::find(names.begin(), names.end(), text);
    index = static_cast<std::size_t>(found - names.begin());
    return found != names.end() || (from.notes_problems() && from.refuse(expected(), text));
}

bool read_enumerator(json_source& from, array_view<const std::int64_t> numbers, expected_words expected,
                     std::size_t& index)
{
    using limits = std::numeric_limits<std::int64_t>;
    std::int64_t number = 0;
    if (!is_number(from.kind()))
        return from.refuse_kind(expected);
    if (!from.read_signed(number, limits::min(), limits::max()))
        return false;
    const auto found = std::find(numbers.begin(), numbers.end(), number);
    index = static_cast<std::size_t>(found - numbers.begin());
    return found != numbers.end() || (from.notes_problems() && from.refuse(expected(), std::to_string(number)));
}

} // namespace partyline::detail
