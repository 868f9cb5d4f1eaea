#include <partyline/mcp/client/answers.hpp>

#include "mcp/answers/failed_call.hpp"
#include "mcp/wire/content_lines.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/mcp/client/client_questions.hpp>

#include <boost/json/serialize.hpp>

namespace json = boost::json;

namespace partyline::mcp {

std::string tool_answer::text() const
{
    content_lines all;
    for (const json::object& block : content)
        all.add(block);
    return all.text();
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
    content_lines all;
    all.add(content);
    return all.text();
}

// A message's content is a block, or an array of them.
std::string sample_request::text() const
{
    content_lines all;
    for (const json::value& message : messages) {
        const json::object* const members = message.if_object();
        if (const json::value* const content = members ? members->if_contains("content") : nullptr)
            all.add(*content);
    }
    return all.text();
}

std::string log_entry::text() const
{
    return data.is_string() ? std::string(data.get_string()) : json::serialize(data);
}

} // namespace partyline::mcp
