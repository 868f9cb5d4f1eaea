#include "tool_reply.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <string_view>

namespace json = boost::json;

namespace bench {
namespace {

const json::value* member(const json::value& of, std::string_view name)
{
    const json::object* const members = of.if_object();
    return members ? members->if_contains(name) : nullptr;
}

const json::array* list(const json::value& of, std::string_view name)
{
    const json::value* const found = member(of, name);
    return found ? found->if_array() : nullptr;
}

// As the tool's text, or as JSON of which that is a member.
bool says(const json::value& text, const json::value& expected)
{
    if (!text.is_string())
        return false;
    if (const json::value* const plain = member(expected, "text"); plain && *plain == text)
        return true;
    boost::system::error_code failed;
    const json::value parsed = json::parse(text.get_string(), failed);
    return !failed && parsed == expected;
}

bool is_of_tool(const json::value& result, const json::value& expected)
{
    const json::array* const content = list(result, "content");
    const json::value* const failed = member(result, "isError");
    if (!content || content->size() != 1 || (failed && *failed != false))
        return false;
    const json::value* const type = member(content->front(), "type");
    const json::value* const text = member(content->front(), "text");
    const json::value* const structured = member(result, "structuredContent");
    return type && *type == "text" && text && says(*text, expected) && (!structured || *structured == expected);
}

bool lists_tools(const json::value& result, const json::value& count)
{
    const json::array* const tools = list(result, "tools");
    return tools && count == tools->size() && std::all_of(tools->begin(), tools->end(), [](const json::value& tool) {
               return member(tool, "name") && member(tool, "inputSchema");
           });
}

} // namespace

bool is_like(const json::value& result, const json::value& expected, likeness how)
{
    switch (how) {
    case likeness::of_tool: return is_of_tool(result, expected);
    case likeness::tools_listed: return lists_tools(result, expected);
    case likeness::same: break;
    }
    return result == expected;
}

} // namespace bench
