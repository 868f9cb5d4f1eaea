// How a field is asked for.

#include "call/methods/signature.hpp"
#include "call/output/shown_line.hpp"
#include "form_field.hpp"

#include <algorithm>

namespace json = boost::json;

namespace call {
namespace {

using kind = form_field::kind;

// As it is typed.
std::string words_of(const json::value& value)
{
    return value.is_string() ? shown_line(std::string_view(value.get_string())) : json_words(value);
}

std::string heading_of(const form_field& field)
{
    std::string text = shown_line(field.title);
    if (!field.description.empty())
        text.append(text.empty() ? "" : ": ").append(shown_line(field.description));
    return text.empty() ? text : text + '\n';
}

// A long list is cut; what is not shown can still be typed.
std::string choices_list(const form_field& field)
{
    constexpr std::size_t longest = 100;
    std::string text;
    for (std::size_t i = 0; i != std::min(field.choices.size(), longest); ++i) {
        const form_choice& each = field.choices[i];
        text += "  " + std::to_string(i + 1) + ") " + words_of(each.value);
        text += each.title.empty() ? "\n" : ": " + shown_line(each.title) + '\n';
    }
    return field.choices.size() > longest ? text + "  ...\n" : text;
}

std::string kind_words(const form_field& field)
{
    const std::string last = std::to_string(field.choices.size());
    switch (field.type) {
    case kind::text: return field.format.empty() ? "text" : "text, " + shown_line(field.format);
    case kind::integer: return "integer";
    case kind::number: return "number";
    case kind::boolean: return "yes or no";
    case kind::choice: return "1 to " + last;
    case kind::choices: return "some of 1 to " + last + ", as 1,2";
    default: return "JSON";
    }
}

std::string bounds_words(const std::string& least, const std::string& most, const std::string& unit)
{
    if (!least.empty() && !most.empty())
        return ", " + least + " to " + most + unit;
    if (!least.empty())
        return ", at least " + least + unit;
    return most.empty() ? std::string() : ", at most " + most + unit;
}

std::string size_words(std::optional<std::size_t> size)
{
    return size ? std::to_string(*size) : std::string();
}

std::string bounds_of(const form_field& field)
{
    switch (field.type) {
    case kind::integer:
    case kind::number:
        return bounds_words(field.least ? number_words(*field.least) : "", field.most ? number_words(*field.most) : "",
                            "");
    case kind::text: return bounds_words(size_words(field.min_size), size_words(field.max_size), " characters");
    case kind::choices: return bounds_words(size_words(field.min_size), size_words(field.max_size), " of them");
    default: return {};
    }
}

std::string empty_line_words(const form_field& field)
{
    if (field.otherwise)
        return "; Enter: " + words_of(*field.otherwise);
    return field.is_required ? "" : "; Enter leaves it out";
}

} // namespace

std::string question_of(const form_field& field)
{
    return heading_of(field) + choices_list(field) + shown_line(field.name) + " (" + kind_words(field) +
           bounds_of(field) + empty_line_words(field) + "): ";
}

} // namespace call
