#include "pretty_json.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <stdexcept>

namespace json = boost::json;

namespace bench {
namespace {

bool is_small(const json::value& value)
{
    return value.is_primitive();
}

// An array or object of numbers and words takes one line.
bool fits_one_line(const json::value& value)
{
    if (const json::array* array = value.if_array())
        return std::all_of(array->begin(), array->end(), is_small);
    if (const json::object* object = value.if_object())
        return object->size() <= 8 &&
               std::all_of(object->begin(), object->end(), [](const auto& member) { return is_small(member.value()); });
    return true;
}

void append_number(std::string& out, double number)
{
    char digits[64];
    const auto [end, failed] = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6);
    if (failed != std::errc())
        throw std::logic_error("a number of more than 64 characters");
    out.append(digits, end);
}

class printer {
public:
    void print(const json::value& value, std::size_t depth)
    {
        if (const json::array* array = value.if_array())
            print_all(*array, '[', ']', fits_one_line(value), depth,
                      [&](const json::value& element) { print(element, depth + 1); });
        else if (const json::object* object = value.if_object())
            print_all(*object, '{', '}', fits_one_line(value), depth, [&](const json::key_value_pair& member) {
                text += json::serialize(member.key()) + ": ";
                print(member.value(), depth + 1);
            });
        else if (value.is_double())
            append_number(text, value.get_double());
        else
            text += json::serialize(value);
    }

    std::string text;

private:
    template <class Range, class Print>
    void print_all(const Range& range, char open, char close, bool is_flat, std::size_t depth, const Print& print_one)
    {
        text.push_back(open);
        bool is_first = true;
        for (const auto& part : range) {
            if (!is_first)
                text += is_flat ? ", " : ",";
            is_first = false;
            if (!is_flat)
                new_line(depth + 1);
            print_one(part);
        }
        if (!is_flat)
            new_line(depth);
        text.push_back(close);
    }

    void new_line(std::size_t depth) { text.append("\n").append(2 * depth, ' '); }
};

} // namespace

std::string pretty(const json::value& value)
{
    printer out;
    out.print(value, 0);
    return out.text + "\n";
}

} // namespace bench
