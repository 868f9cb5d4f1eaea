#include "mcp/answers/read_answers.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_result.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/request_members.hpp"
#include "protocol/json/base64.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

BOOST_DESCRIBE_STRUCT(resource_part, (), (uri, mime_type, meta))
constexpr auto notes_of(of<resource_part>)
{
    using me = resource_part;
    return notes(note(&me::mime_type, wire_name("mimeType"), defaulted),
                 note(&me::meta, wire_name("_meta"), defaulted));
}

BOOST_DESCRIBE_STRUCT(prompt_part, (), (role, content))
BOOST_DESCRIBE_STRUCT(prompt_answer, (), (description, messages))
constexpr auto notes_of(of<prompt_answer>)
{
    return notes(note(&prompt_answer::description, defaulted));
}

BOOST_DESCRIBE_STRUCT(completion_answer, (), (values, total, has_more))
constexpr auto notes_of(of<completion_answer>)
{
    return notes(note(&completion_answer::has_more, wire_name("hasMore"), defaulted));
}

namespace {

/// What each block of content has.
struct content_block {
    std::string type;
};
BOOST_DESCRIBE_STRUCT(content_block, (), (type))

struct called_tool {
    std::optional<std::vector<content_block>> content;
    bool is_error = false;
    json::object meta;

    static constexpr auto notes()
    {
        using me = called_tool;
        return partyline::notes(note(&me::is_error, wire_name("isError"), defaulted),
                                note(&me::meta, wire_name("_meta"), defaulted));
    }
};
BOOST_DESCRIBE_STRUCT(called_tool, (), (content, is_error, meta))

struct read_part : resource_part {
    std::optional<std::string> text;
    std::optional<std::string> blob;
};
BOOST_DESCRIBE_STRUCT(read_part, (resource_part), (text, blob))

struct read_parts {
    std::vector<read_part> contents;
};
BOOST_DESCRIBE_STRUCT(read_parts, (), (contents))

struct completed {
    completion_answer completion;
};
BOOST_DESCRIBE_STRUCT(completed, (), (completion))

resource_part take_data(read_part& from, std::size_t index)
{
    const std::string place = "contents[" + std::to_string(index) + "].";
    from.is_binary = from.blob.has_value();
    if (!from.is_binary && !from.text)
        refuse_result(methods::read_resource, place + "text", "string", "nothing");
    std::optional<std::string> data = from.is_binary ? decode_base64(*from.blob) : std::move(from.text);
    if (!data)
        refuse_result(methods::read_resource, place + "blob", "Base64", "another string");
    from.data = std::move(*data);
    return std::move(from);
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
        read_as<json::object>(method, parse_result(method, result));
    const std::string type = member_of(result.text(), "resultType");
    if (type.empty())
        return "complete";
    std::string_view text;
    std::string memory;
    if (!read_string(json_view::checked(type), text, memory))
        throw failed_call(client_errc::bad_result, std::string(method) + ": \"resultType\" is no string");
    return std::string(text);
}

// Legacy servers write null for what they leave out, where the protocol has an object, and results without content,
// which TypeScript's SDK takes for none. From 2026-07-28 on null is a value as others are, and there is some content or
// value.
tool_answer read_tool_answer(const json_text& result, era by)
{
    json::value whole = parse_result(methods::call_tool, result);
    called_tool read = read_as<called_tool>(methods::call_tool, whole);
    tool_answer answer;
    const std::string structured = member_of(result.text(), "structuredContent");
    if (!structured.empty() && (by == era::modern || structured != "null"))
        answer.structured = json_text(json_view::checked(structured));
    else if (!read.content && by == era::modern)
        refuse_result(methods::call_tool, "content", "array", "nothing");
    if (read.content)
        for (json::value& block : whole.get_object()["content"].get_array())
            answer.content.push_back(std::move(block.get_object()));
    answer.is_error = read.is_error;
    answer.meta = std::move(read.meta);
    return answer;
}

resource_answer read_resource_answer(const json_text& result)
{
    json::value whole = parse_result(methods::read_resource, result);
    read_parts read = read_as<read_parts>(methods::read_resource, whole);
    resource_answer answer;
    for (std::size_t i = 0; i != read.contents.size(); ++i)
        answer.parts.push_back(take_data(read.contents[i], i));
    answer.raw = std::move(whole.get_object());
    return answer;
}

prompt_answer read_prompt_answer(const json_text& result)
{
    json::value whole = parse_result(methods::get_prompt, result);
    prompt_answer read = read_as<prompt_answer>(methods::get_prompt, whole);
    read.raw = std::move(whole.get_object());
    return read;
}

completion_answer read_completion(const json_text& result)
{
    return read_as<completed>(methods::complete, parse_result(methods::complete, result)).completion;
}

} // namespace partyline::mcp
