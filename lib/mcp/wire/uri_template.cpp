#include "mcp/wire/uri_template.hpp"

#include "mcp/wire/percent_encoding.hpp"
#include "protocol/json/utf8.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace partyline::mcp {
namespace {

bool is_name(std::string_view name)
{
    const auto may_stand = [](char c) { return is_unreserved(c) && c != '-' && c != '.' && c != '~'; };
    return !name.empty() && std::all_of(name.begin(), name.end(), may_stand);
}

bool is_literal_character(char c)
{
    return is_unreserved(c) || is_reserved(c) || c == '%';
}

std::string in_quotes(std::string_view text)
{
    return '"' + printable(text, 100) + '"';
}

// Well-formed UTF-8 without control characters: a NUL would end a path early, a line break begin a header.
bool is_plain_text(std::string_view text)
{
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text.front());
        const std::size_t length = utf8::sequence_length(text.data(), text.data() + text.size());
        if (length == 0 || first < 0x20 || first == 0x7F)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

bool has_parent_segment(std::string_view path)
{
    for (;;) {
        const std::size_t end = path.find('/');
        if (path.substr(0, end) == "..")
            return true;
        if (end == path.npos)
            return false;
        path.remove_prefix(end + 1);
    }
}

std::optional<std::string> read_value(std::string_view part, bool is_reserved)
{
    if (part.empty() || (!is_reserved && part.find_first_of("/?#") != part.npos))
        return std::nullopt;
    std::optional<std::string> value = percent_decode(part);
    if (!value || !is_plain_text(*value) || has_parent_segment(*value))
        return std::nullopt;
    if (!is_reserved && value->find('/') != value->npos)
        return std::nullopt;
    return value;
}

std::size_t begin_of_end(std::string_view text, std::string_view end)
{
    return text.ends_with(end) ? text.size() - end.size() : text.npos;
}

const std::string& value_of(const std::string& name, const uri_template::values& given)
{
    const auto found = std::find_if(given.begin(), given.end(), [&](const auto& value) { return value.name == name; });
    if (found == given.end())
        throw std::invalid_argument("There is no value for the variable " + in_quotes(name) + '.');
    return found->value;
}

} // namespace

uri_template::uri_template(std::string_view text) : text_(text)
{
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('{'), rest.size());
        add_literal(rest.substr(0, end));
        rest.remove_prefix(end);
        if (!rest.empty())
            rest = read_expression(rest);
    }
}

void uri_template::refuse(const std::string& why) const
{
    throw std::invalid_argument("The URI template " + in_quotes(text_) + ' ' + why + '.');
}

void uri_template::add_literal(std::string_view literal)
{
    const auto stray = std::find_if_not(literal.begin(), literal.end(), is_literal_character);
    if (stray != literal.end() && *stray == '}')
        refuse("has a \"}\" without a \"{\"");
    if (stray != literal.end() || !percent_decode(literal))
        refuse("has a character in " + in_quotes(literal) + " that has to be percent-encoded");
    (variables_.empty() ? front_ : variables_.back().behind) = literal;
}

// Takes `{name}` from the front, and returns what stands behind it.
std::string_view uri_template::read_expression(std::string_view expression)
{
    const std::size_t end = expression.find('}');
    if (end == expression.npos)
        refuse("has a \"{\" without a \"}\"");
    const bool is_reserved = expression.substr(1).starts_with('+');
    const std::size_t begin = is_reserved ? 2 : 1;
    const std::string name(expression.substr(begin, end - begin));
    if (!is_name(name))
        refuse("has the expression " + in_quotes(expression.substr(0, end + 1)) +
               "; there are only {name} and {+name}, names made of letters, digits and \"_\"");
    if (std::any_of(variables_.begin(), variables_.end(), [&](const variable& v) { return v.name == name; }))
        refuse("has two variables of the name " + in_quotes(name));
    if (!variables_.empty() && variables_.back().behind.empty())
        refuse("has nothing between the variables " + in_quotes(variables_.back().name) + " and " + in_quotes(name));
    variables_.push_back({name, is_reserved, {}});
    return expression.substr(end + 1);
}

std::vector<std::string> uri_template::names() const
{
    std::vector<std::string> names;
    names.reserve(variables_.size());
    for (const variable& each : variables_)
        names.push_back(each.name);
    return names;
}

std::optional<uri_template::values> uri_template::match(std::string_view uri) const
{
    if (!uri.starts_with(front_))
        return std::nullopt;
    uri.remove_prefix(front_.size());
    values found;
    for (const variable& each : variables_) {
        const std::size_t end = &each == &variables_.back() ? begin_of_end(uri, each.behind) : uri.find(each.behind, 1);
        if (end == uri.npos)
            return std::nullopt;
        std::optional<std::string> value = read_value(uri.substr(0, end), each.is_reserved);
        if (!value)
            return std::nullopt;
        found.push_back({each.name, *std::move(value)});
        uri.remove_prefix(end + each.behind.size());
    }
    return uri.empty() ? std::optional(std::move(found)) : std::nullopt;
}

std::string uri_template::expand(const values& given) const
{
    std::string uri = front_;
    values used;
    for (const variable& each : variables_) {
        const std::string& value = value_of(each.name, given);
        const auto kept = each.is_reserved ? kept_characters::unreserved_and_reserved : kept_characters::unreserved;
        uri += percent_encode(value, kept);
        uri += each.behind;
        used.push_back({each.name, value});
    }
    if (used.size() != given.size())
        refuse("has " + std::to_string(used.size()) + " variables, and was given " + std::to_string(given.size()) +
               " values");
    if (match(uri) != used)
        refuse("does not give these values back from " + in_quotes(uri));
    return uri;
}

} // namespace partyline::mcp
