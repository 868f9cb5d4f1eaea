#include "answer_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string_view>

namespace json = boost::json;
namespace mcp = partyline::mcp;

namespace call {
namespace {

std::string_view member_text(const json::object& of, std::string_view name)
{
    const json::value* const found = of.if_contains(name);
    return found && found->is_string() ? std::string_view(found->get_string()) : std::string_view();
}

std::string bracketed(std::string_view what, std::string_view name, std::string_view mime_type)
{
    std::string text = "[" + std::string(what);
    for (const std::string_view part : {name, mime_type})
        if (!part.empty())
            text.append(" ").append(part);
    return text + ']';
}

std::string resource_words(const json::object& block)
{
    const json::value* const resource = block.if_contains("resource");
    if (!resource || !resource->is_object())
        return "[resource]";
    const json::object& of = resource->get_object();
    if (const json::value* const text = of.if_contains("text"); text && text->is_string())
        return std::string(text->get_string());
    return bracketed("resource", member_text(of, "uri"), member_text(of, "mimeType"));
}

std::string block_words(const json::object& block)
{
    const std::string_view type = member_text(block, "type");
    if (type == "text")
        return std::string(member_text(block, "text"));
    if (type == "resource")
        return resource_words(block);
    if (type == "resource_link")
        return bracketed("link to", member_text(block, "uri"), member_text(block, "mimeType"));
    return bracketed(type.empty() ? "content" : type, {}, member_text(block, "mimeType"));
}

std::string with_line_end(std::string text)
{
    if (!text.ends_with('\n'))
        text += '\n';
    return text;
}

} // namespace

std::string text_of(const mcp::tool_answer& answer)
{
    std::string all;
    for (const json::object& block : answer.content)
        all += with_line_end(block_words(block));
    return all;
}

std::string text_of(const mcp::prompt_answer& answer)
{
    std::string all;
    for (const mcp::prompt_part& each : answer.messages) {
        all += each.role == mcp::role::user ? "user: " : "assistant: ";
        all += with_line_end(block_words(each.content));
    }
    return all;
}

std::string bytes_of(const mcp::resource_answer& answer)
{
    std::string all;
    for (const mcp::resource_part& each : answer.parts)
        all += each.data;
    return all;
}

std::string text_of(const mcp::resource_answer& answer)
{
    std::string all;
    for (const mcp::resource_part& each : answer.parts) {
        const std::string bytes = std::to_string(each.data.size()) + " bytes";
        all += with_line_end(each.is_binary ? bracketed(each.uri, each.mime_type, bytes) : each.data);
    }
    return all;
}

} // namespace call
