// What a form's schema says of its fields.

#include "form_field.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace json = boost::json;

namespace call {
namespace {

using kind = form_field::kind;

const json::value* find(const json::object& of, std::string_view name)
{
    return of.if_contains(name);
}

std::string string_at(const json::object& of, std::string_view name)
{
    const json::value* const found = find(of, name);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

const json::array* array_at(const json::object& of, std::string_view name)
{
    const json::value* const found = find(of, name);
    return found ? found->if_array() : nullptr;
}

std::optional<double> number_at(const json::object& of, std::string_view name)
{
    const json::value* const found = find(of, name);
    return found && found->is_number() ? std::optional(found->to_number<double>()) : std::nullopt;
}

std::optional<std::size_t> size_at(const json::object& of, std::string_view name)
{
    constexpr double longest = 1e9;
    const std::optional<double> number = number_at(of, name);
    return number && *number >= 0 && *number <= longest ? std::optional(static_cast<std::size_t>(*number))
                                                        : std::nullopt;
}

std::vector<form_choice> titled_choices(const json::array& all)
{
    std::vector<form_choice> read;
    for (const json::value& each : all) {
        const json::object* const one = each.if_object();
        if (const json::value* const value = one ? find(*one, "const") : nullptr)
            read.push_back({*value, string_at(*one, "title")});
    }
    return read;
}

// `enumNames` is how titles were written before 2025-11-25.
std::vector<form_choice> plain_choices(const json::array& all, const json::array* titles)
{
    std::vector<form_choice> read;
    for (const json::value& value : all) {
        const std::size_t number = read.size();
        const json::string* const title = titles && number < titles->size() ? (*titles)[number].if_string() : nullptr;
        read.push_back({value, title ? std::string(*title) : std::string()});
    }
    return read;
}

std::vector<form_choice> choices_of(const json::object& schema)
{
    if (const json::array* const plain = array_at(schema, "enum"))
        return plain_choices(*plain, array_at(schema, "enumNames"));
    for (const char* const name : {"oneOf", "anyOf"}) {
        if (const json::array* const titled = array_at(schema, name))
            return titled_choices(*titled);
    }
    return {};
}

kind kind_of(const json::object& schema)
{
    const std::string type = string_at(schema, "type");
    if (type == "string")
        return kind::text;
    if (type == "integer")
        return kind::integer;
    if (type == "number")
        return kind::number;
    return type == "boolean" ? kind::boolean : kind::json;
}

// Sets what it is a choice of.
void take_kind(form_field& field, const json::object& schema)
{
    field.type = kind_of(schema);
    if (field.choices = choices_of(schema); !field.choices.empty()) {
        field.type = kind::choice;
        return;
    }
    const json::value* const items = string_at(schema, "type") == "array" ? find(schema, "items") : nullptr;
    if (!items || !items->is_object())
        return;
    if (field.choices = choices_of(items->get_object()); !field.choices.empty())
        field.type = kind::choices;
}

form_field read_field(std::string_view name, const json::object& schema, bool is_required)
{
    form_field field;
    field.name = name;
    field.title = string_at(schema, "title");
    field.description = string_at(schema, "description");
    field.is_required = is_required;
    field.format = string_at(schema, "format");
    field.least = number_at(schema, "minimum");
    field.most = number_at(schema, "maximum");
    take_kind(field, schema);
    const bool is_text = field.type == kind::text;
    field.min_size = size_at(schema, is_text ? "minLength" : "minItems");
    field.max_size = size_at(schema, is_text ? "maxLength" : "maxItems");
    if (const json::value* const otherwise = find(schema, "default"); otherwise && misfit_of(field, *otherwise).empty())
        field.otherwise = *otherwise;
    return field;
}

bool names(const json::array* required, std::string_view name)
{
    return required && std::ranges::any_of(*required, [&](const json::value& each) {
               return each.is_string() && std::string_view(each.get_string()) == name;
           });
}

} // namespace

std::vector<form_field> read_form(const json::object& schema)
{
    std::vector<form_field> fields;
    const json::value* const properties = find(schema, "properties");
    if (!properties || !properties->is_object())
        return fields;
    const json::object none;
    for (const auto& [name, of] : properties->get_object())
        fields.push_back(
            read_field(name, of.is_object() ? of.get_object() : none, names(array_at(schema, "required"), name)));
    return fields;
}

} // namespace call
