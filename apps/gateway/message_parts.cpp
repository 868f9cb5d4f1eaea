#include "gateway/message_parts.hpp"

#include "gateway/member_text.hpp"

#include <partyline/protocol/error.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <utility>

using partyline::json_view;

namespace gateway {
namespace {

char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// How many bytes at the beginning of the text are read as this lower-case letter; 0: it begins otherwise.
std::size_t length_of(char letter, std::string_view text) noexcept
{
    if (!text.empty() && lower(text.front()) == letter)
        return 1;
    if (letter == 's' && text.starts_with("\xC5\xBF")) // U+017F, long s
        return 2;
    return letter == 'k' && text.starts_with("\xE2\x84\xAA") ? 3 : 0; // U+212A, the Kelvin sign
}

} // namespace

partyline::error_object invalid_params(std::string_view parameter, std::string_view expected)
{
    boost::json::object data;
    data["parameter"] = parameter;
    data["expected"] = expected;
    return {partyline::error_codes::invalid_params, "Invalid params", std::move(data)};
}

bool may_be_read_as(std::string_view name, std::string_view known) noexcept
{
    for (const char c : known) {
        const std::size_t length = length_of(lower(c), name);
        if (length == 0)
            return false;
        name.remove_prefix(length);
    }
    return name.empty();
}

json_view only_member(json_view object, std::string_view known)
{
    json_view found;
    bool is_clear = true;
    for_each_member(object.text(), [&](const partyline::member_text& one) {
        if (!may_be_read_as(one.name, known))
            return;
        is_clear = is_clear && found.empty() && one.name == known;
        found = json_view::checked(one.value);
    });
    if (!is_clear)
        throw partyline::rpc_error(invalid_params(known, "one member of this name"));
    return found;
}

std::string string_in(json_view value, std::string_view name)
{
    std::optional<std::string> text = string_of(value);
    if (!text)
        throw partyline::rpc_error(invalid_params(name, "string"));
    return *std::move(text);
}

} // namespace gateway
