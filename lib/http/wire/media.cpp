#include "http/wire/media.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"

#include <algorithm>
#include <cstdint>

namespace partyline::http {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

// Takes what is in front of the next semicolon, those within quotes aside.
std::string_view take_part(std::string_view& rest)
{
    bool is_quoted = false;
    std::size_t end = 0;
    for (; end != rest.size() && (is_quoted || rest[end] != ';'); ++end) {
        if (rest[end] == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && rest[end] == '\\' && end + 1 != rest.size())
            ++end;
    }
    const std::string_view part = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

struct parameter {
    std::string_view name;
    std::string_view value;
};

parameter parameter_of(std::string_view part)
{
    const std::size_t equals = part.find('=');
    if (equals == part.npos)
        return {part, {}};
    std::string_view value = trimmed(part.substr(equals + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
    return {trimmed(part.substr(0, equals)), value};
}

// "0", "0.", "0.000"
bool is_zero(std::string_view weight)
{
    return weight.find('0') != weight.npos && weight.find_first_not_of("0.") == weight.npos;
}

// What stands behind the type of an element.
bool has_weight_zero(std::string_view parameters)
{
    while (!parameters.empty()) {
        const parameter one = parameter_of(take_part(parameters));
        if (is_name(one.name, "q") && is_zero(one.value))
            return true;
    }
    return false;
}

bool is_json_name(std::string_view type)
{
    return is_name(type, "application/json") || is_name(type, "application/json-rpc") ||
           is_name(type, "application/jsonrequest");
}

// How exactly an element means a type.
enum class exactness : std::uint8_t { none, any, group, name };

exactness exactness_for(std::string_view element, bool is_the_name, std::string_view group)
{
    if (is_the_name)
        return exactness::name;
    if (is_name(element, group))
        return exactness::group;
    return element == "*/*" || element == "*" ? exactness::any : exactness::none; // the latter in old Java
}

// Whether a type is wanted. Of two elements the one that means it more exactly counts (RFC 9110 §12.5.1).
class wish {
public:
    void note(exactness by, bool is_wanted)
    {
        if (by == exactness::none || by < by_)
            return;
        is_wanted_ = is_wanted || (by == by_ && is_wanted_);
        by_ = by;
    }
    bool is_granted() const { return is_wanted_; }

private:
    exactness by_ = exactness::none;
    bool is_wanted_ = false;
};

// What most clients send: they take both, but for those that take JSON alone.
bool is_usual(std::string_view accept)
{
    return accept == "*/*" || accept == "application/json, text/event-stream" || accept == "application/json";
}

} // namespace

bool is_json_type(std::string_view content_type)
{
    if (content_type == "application/json") // as it mostly is
        return true;
    if (!is_json_name(take_part(content_type)))
        return false;
    while (!content_type.empty()) {
        const parameter one = parameter_of(take_part(content_type));
        if (is_name(one.name, "charset") && !is_name(one.value, "utf-8") && !is_name(one.value, "utf8"))
            return false;
    }
    return true;
}

bool is_key_set_type(std::string_view content_type)
{
    return is_name(take_part(content_type), "application/jwk-set+json");
}

bool is_event_stream_type(std::string_view content_type)
{
    return is_name(take_part(content_type), "text/event-stream");
}

accepted_types accepted_by(const request_head& head)
{
    const std::string_view first = head.find("accept");
    if (!first.data())
        return {};
    if (is_usual(first) && head.count("accept") == 1)
        return {true, first.size() != std::string_view("application/json").size()};
    wish json;
    wish events;
    for (const field& one : head.fields) {
        if (!is_name(one.name, "accept"))
            continue;
        for_each_element(one.value, [&](std::string_view rest) {
            const std::string_view type = take_part(rest);
            const bool is_wanted = !has_weight_zero(rest);
            json.note(exactness_for(type, is_json_name(type), "application/*"), is_wanted);
            events.note(exactness_for(type, is_name(type, "text/event-stream"), "text/*"), is_wanted);
        });
    }
    return {json.is_granted() || !events.is_granted(), events.is_granted()};
}

bool accepts_event_stream(const request_head& head)
{
    return accepted_by(head).event_stream;
}

} // namespace partyline::http
