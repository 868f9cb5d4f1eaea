#include "mcp/contained.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace json = boost::json;

namespace partyline::test {
namespace {

std::string object_difference(const json::object& expected, const json::object& actual)
{
    for (const auto& [name, value] : expected) {
        const json::value* const found = actual.if_contains(name);
        const std::string wrong = found ? difference(value, *found) : ": there is none";
        if (!wrong.empty())
            return '/' + std::string(name) + wrong;
    }
    return {};
}

std::string array_difference(const json::array& expected, const json::array& actual)
{
    if (expected.size() != actual.size())
        return ": " + std::to_string(actual.size()) + " elements, expected " + std::to_string(expected.size());
    for (std::size_t i = 0; i != expected.size(); ++i)
        if (const std::string wrong = difference(expected[i], actual[i]); !wrong.empty())
            return '/' + std::to_string(i) + wrong;
    return {};
}

bool is_same(const json::value& one, const json::value& other)
{
    if (one.is_number() && other.is_number())
        return one.to_number<double>() == other.to_number<double>();
    return one == other;
}

} // namespace

std::string difference(const json::value& expected, const json::value& actual)
{
    if (expected.is_object() && actual.is_object())
        return object_difference(expected.get_object(), actual.get_object());
    if (expected.is_array() && actual.is_array())
        return array_difference(expected.get_array(), actual.get_array());
    if (is_same(expected, actual))
        return {};
    return ": " + json::serialize(actual) + ", expected " + json::serialize(expected);
}

} // namespace partyline::test
