#include <partyline/mcp/client/answers.hpp>

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/text_of.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/mcp/client/client_questions.hpp>

#include <boost/json/serialize.hpp>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

void add_line(std::string& to, std::string_view line, bool& is_first)
{
    if (!std::exchange(is_first, false))
        to += '\n';
    to += line;
}

} // namespace

const json::string* text_of(const json::object& block) noexcept
{
    const json::value* const type = block.if_contains("type");
    const json::value* const text = block.if_contains("text");
    const bool is_text = type && type->is_string() && type->get_string() == "text";
    return is_text && text ? text->if_string() : nullptr;
}

std::string tool_answer::text() const
{
    std::string all;
    bool is_first = true;
    for (const json::object& block : content)
        if (const json::string* const text = text_of(block))
            add_line(all, *text, is_first);
    return all;
}

void tool_answer::check_success() const
{
    if (is_error)
        throw tool_error(text());
}

json_text tool_answer::wrapped() const
{
    if (!is_object(structured->text()))
        return {};
    return json_text(json_view::checked(member_of(structured->text(), "result")));
}

void tool_answer::refuse(const std::string& problem)
{
    throw failed_call(errc::not_convertible, problem);
}

std::string resource_answer::text() const
{
    std::string all;
    for (const resource_part& part : parts)
        if (!part.is_binary)
            all += part.data;
    return all;
}

std::string prompt_part::text() const
{
    const json::string* const text = text_of(content);
    return text ? std::string(*text) : std::string();
}

// A message's content is a block, or an array of them.
std::string sample_request::text() const
{
    std::string all;
    bool is_first = true;
    const auto add = [&](const json::value& block) {
        const json::object* const members = block.if_object();
        if (const json::string* const text = members ? text_of(*members) : nullptr)
            add_line(all, *text, is_first);
    };
    for (const json::value& message : messages) {
        const json::object* const members = message.if_object();
        const json::value* const content = members ? members->if_contains("content") : nullptr;
        if (content && content->is_array())
            for (const json::value& block : content->get_array())
                add(block);
        else if (content)
            add(*content);
    }
    return all;
}

std::string log_entry::text() const
{
    return data.is_string() ? std::string(data.get_string()) : json::serialize(data);
}

} // namespace partyline::mcp
