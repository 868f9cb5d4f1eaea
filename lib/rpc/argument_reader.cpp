#include <partyline/rpc/detail/argument_reader.hpp>

#include "rpc/wording.hpp"

#include <boost/core/demangle.hpp>

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace partyline::detail {
namespace {

namespace json = boost::json;

// With few digits: a bound is told, not computed with.
std::string bound_text(double number)
{
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 6).ptr);
}

// 2.0 is an integer: some languages know no other numbers than doubles.
bool is_integral(double number) noexcept
{
    return std::trunc(number) == number;
}

template <class Integer>
std::optional<Integer> within(auto number, Integer min, Integer max) noexcept
{
    if (std::cmp_less(number, min) || std::cmp_greater(number, max))
        return std::nullopt;
    return static_cast<Integer>(number);
}

template <class Integer>
std::optional<Integer> find_integer(const json::value& value, Integer min, Integer max) noexcept
{
    if (const std::int64_t* integer = value.if_int64())
        return within(*integer, min, max);
    if (const std::uint64_t* large = value.if_uint64())
        return within(*large, min, max);
    // One past the largest Integer: a power of two, so a double holds it exactly.
    constexpr double end = std::is_signed_v<Integer> ? 9223372036854775808.0 : 18446744073709551616.0;
    const double* const real = value.if_double();
    if (!real || !is_integral(*real) || *real < static_cast<double>(min) || *real >= end)
        return std::nullopt;
    if (std::is_signed_v<Integer> && *real == -end)
        return std::nullopt; // mostly what was less in the text: the least integer itself comes as one
    return within(static_cast<Integer>(*real), min, max);
}

template <class Integer>
bool refuse_integer(const json::value& value, const parameter_place& place, Integer min, Integer max)
{
    if (!place.problems())
        return false;
    if (!value.is_number())
        return refuse_kind(place, "integer", value);
    const double* const real = value.if_double();
    std::string got = real               ? number_text(*real)
                      : value.is_int64() ? number_text(value.get_int64())
                                         : number_text(value.get_uint64());
    if (real && !is_integral(*real))
        return refuse(place, "integer", got);
    if (real && *real == static_cast<double>(min))
        got += " or less"; // as a double it is both
    return refuse(place, "integer from " + number_text(min) + " to " + number_text(max), got);
}

template <class T>
const T* checked(const T* found, std::string_view expected, const json::value& value, const parameter_place& place)
{
    if (!found)
        refuse_kind(place, expected, value);
    return found;
}

template <class Integer>
bool read_integer(const json::value& value, const parameter_place& place, Integer min, Integer max, Integer& into)
{
    const std::optional<Integer> number = find_integer(value, min, max);
    if (!number)
        return refuse_integer(value, place, min, max);
    into = *number;
    return true;
}

} // namespace

bool read_signed(const json::value& value, const parameter_place& place, std::int64_t min, std::int64_t max,
                 std::int64_t& into)
{
    return read_integer(value, place, min, max, into);
}

bool read_unsigned(const json::value& value, const parameter_place& place, std::uint64_t max, std::uint64_t& into)
{
    return read_integer(value, place, std::uint64_t(0), max, into);
}

bool read_double(const json::value& value, const parameter_place& place, double max, double& into)
{
    if (!value.is_number())
        return refuse_kind(place, "number", value);
    into = value.to_number<double>();
    if (std::abs(into) <= max)
        return true;
    return place.problems() &&
           refuse(place, "number from " + bound_text(-max) + " to " + bound_text(max), number_text(into));
}

const bool* read_bool(const json::value& value, const parameter_place& place)
{
    return checked(value.if_bool(), "boolean", value, place);
}

const json::string* read_string(const json::value& value, const parameter_place& place)
{
    return checked(value.if_string(), "string", value, place);
}

const json::array* read_array(const json::value& value, const parameter_place& place)
{
    return checked(value.if_array(), "array", value, place);
}

const json::object* read_object(const json::value& value, const parameter_place& place)
{
    return checked(value.if_object(), "object", value, place);
}

const json::string* read_path(const json::value& value, const parameter_place& place)
{
    const json::string* const text = read_string(value, place);
    if (!text || text->find('\0') == json::string::npos)
        return text;
    refuse(place, "string without NUL characters", "one with");
    return nullptr;
}

std::string convertible_to(const std::type_info& type)
{
    return "a value convertible to " + boost::core::demangle(type.name());
}

} // namespace partyline::detail
