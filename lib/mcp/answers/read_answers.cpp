#include "mcp/answers/read_answers.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/result_place.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/request_members.hpp"
#include "protocol/json/base64.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

std::vector<json::object> read_blocks(const result_place& place)
{
    std::vector<json::object> all;
    const std::size_t count = place.array().size();
    for (std::size_t i = 0; i != count; ++i) {
        const result_place block = place.element(i);
        static_cast<void>(block.member("type").string());
        all.push_back(block.object());
    }
    return all;
}

resource_part read_part(const result_place& place)
{
    resource_part read;
    read.uri = place.member("uri").string();
    read.mime_type = place.member("mimeType").string_or({});
    read.meta = place.member("_meta").object_or_empty();
    const result_place blob = place.member("blob");
    read.is_binary = !blob.is_absent();
    if (!read.is_binary) {
        read.data = place.member("text").string();
        return read;
    }
    std::optional<std::string> bytes = decode_base64(blob.string());
    if (!bytes)
        blob.refuse("Base64");
    read.data = std::move(*bytes);
    return read;
}

prompt_part read_message(const result_place& place)
{
    prompt_part read;
    const result_place role = place.member("role");
    const std::string who = role.string();
    if (who != "user" && who != "assistant")
        role.refuse("\"user\" or \"assistant\"");
    read.role = who == "user" ? role::user : role::assistant;
    read.content = place.member("content").object();
    return read;
}

} // namespace

json::value parse_result(std::string_view method, const json_text& result)
{
    try {
        return result.to_value();
    } catch (const rpc_error& refused) { // numbers that are too large, names that collide
        throw failed_call(client_errc::bad_result, std::string(method) + ": " + refused.what());
    }
}

std::string result_type(std::string_view method, const json_text& result)
{
    if (!is_object(result.text()))
        result_place(method, parse_result(method, result)).refuse("an object");
    const std::string type = member_of(result.text(), "resultType");
    if (type.empty())
        return "complete";
    std::string_view text;
    std::string memory;
    if (!read_string(json_view::checked(type), text, memory))
        throw failed_call(client_errc::bad_result, std::string(method) + ": \"resultType\" is no string");
    return std::string(text);
}

tool_answer read_tool_answer(const json_text& result)
{
    const json::value whole = parse_result(methods::call_tool, result);
    const result_place place(methods::call_tool, whole);
    tool_answer read;
    const result_place content = place.member("content");
    const std::string structured = is_object(result.text()) ? member_of(result.text(), "structuredContent") : "";
    if (!structured.empty())
        read.structured = json_text(json_view::checked(structured));
    if (!content.is_absent() || structured.empty())
        read.content = read_blocks(content);
    read.is_error = place.member("isError").boolean_or(false);
    read.meta = place.member("_meta").object_or_empty();
    return read;
}

resource_answer read_resource_answer(const json_text& result)
{
    json::value whole = parse_result(methods::read_resource, result);
    const result_place place(methods::read_resource, whole);
    const result_place contents = place.member("contents");
    resource_answer read;
    const std::size_t count = contents.array().size();
    for (std::size_t i = 0; i != count; ++i)
        read.parts.push_back(read_part(contents.element(i)));
    read.raw = std::move(whole.get_object());
    return read;
}

prompt_answer read_prompt_answer(const json_text& result)
{
    json::value whole = parse_result(methods::get_prompt, result);
    const result_place place(methods::get_prompt, whole);
    const result_place messages = place.member("messages");
    prompt_answer read;
    read.description = place.member("description").string_or({});
    const std::size_t count = messages.array().size();
    for (std::size_t i = 0; i != count; ++i)
        read.messages.push_back(read_message(messages.element(i)));
    read.raw = std::move(whole.get_object());
    return read;
}

completion_answer read_completion(const json_text& result)
{
    const json::value whole = parse_result(methods::complete, result);
    const result_place place(methods::complete, whole);
    const result_place completion = place.member("completion");
    const result_place values = completion.member("values");
    completion_answer read;
    const std::size_t count = values.array().size();
    for (std::size_t i = 0; i != count; ++i)
        read.values.push_back(values.element(i).string());
    read.total = completion.member("total").count();
    read.has_more = completion.member("hasMore").boolean_or(false);
    return read;
}

} // namespace partyline::mcp
