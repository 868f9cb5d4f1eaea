#include "gateway/member_text.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/json/value.hpp>

#include <string>

using partyline::json_text;
using partyline::json_view;

namespace gateway {

std::string_view member_text(std::string_view of, std::initializer_list<std::string_view> path)
{
    partyline::message_reader reader{partyline::limits()};
    json_view found = json_view::checked(of);
    for (const std::string_view name : path) {
        if (!found.text().starts_with('{'))
            return {};
        found = reader.find_member(found, name);
    }
    return found.text();
}

std::string_view member_text(const json_text& of, std::initializer_list<std::string_view> path)
{
    return member_text(of.text(), path);
}

std::optional<std::string> string_of(json_view value)
{
    if (!value.text().starts_with('"'))
        return std::nullopt;
    const auto read = value.try_to_value();
    if (!read)
        return std::nullopt;
    return std::string(read->get_string());
}

std::optional<std::string> member_string(const json_text& of, std::initializer_list<std::string_view> path)
{
    return string_of(json_view::checked(member_text(of, path)));
}

// A name may be spelled with escapes, too, of which only these two can spell its characters.
std::string_view rare_member_text(const json_text& of, std::initializer_list<std::string_view> path)
{
    const std::string_view name = *(path.end() - 1);
    const std::string& text = of.text();
    const bool may_stand =
        text.find(name) != text.npos || text.find("\\u") != text.npos || text.find("\\/") != text.npos;
    return may_stand ? member_text(of, path) : std::string_view();
}

json_text with_replaced(const json_text& of, std::string_view part, std::string_view by)
{
    std::string text = of.text();
    text.replace(static_cast<std::size_t>(part.data() - of.text().data()), part.size(), by);
    return json_text(std::move(text));
}

std::string with_member(std::string_view object, std::string_view member)
{
    const std::size_t inside = object.find_first_not_of(" \t\r\n", 1);
    std::string text = '{' + std::string(member);
    return text.append(object[inside] == '}' ? "" : ",").append(object.substr(1));
}

} // namespace gateway
