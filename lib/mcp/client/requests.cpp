#include "mcp/client/requests.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_answers.hpp"
#include "mcp/client/checked_call.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"
#include "mcp/wire/methods.hpp"
#include "session/calls/object_text.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// The text of an object; empty for none.
std::string object_text_of(const call_params& from, const client_core& by, std::string_view what)
{
    std::string text;
    const error_code failed = from.append_to(text, by.options().session.bounds.depth);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (failed || (!text.empty() && text != "null" && (begin == std::string::npos || text[begin] != '{')))
        throw failed_call(errc::bad_params, std::string(what) + " are a JSON object");
    return text == "null" ? std::string() : text;
}

std::string named(const std::string& name)
{
    std::string members;
    add_string(members, "name", name);
    return members;
}

std::string with_uri(const std::string& uri)
{
    std::string members;
    add_string(members, "uri", uri);
    return members;
}

json::object as_object(const std::map<std::string, std::string>& of)
{
    json::object all;
    for (const auto& [name, value] : of)
        all[name] = value;
    return all;
}

} // namespace

task<void> start(client_core_ptr of)
{
    co_await of->start();
}

task<void> close(client_core_ptr of)
{
    co_await of->close();
}

task<void> ping(client_core_ptr of)
{
    of->check_started();
    const std::string_view method = of->era() == era::modern ? methods::discover : methods::ping;
    co_await of->request(std::string(method), std::string());
}

task<void> set_log_level(client_core_ptr of, log_level level)
{
    of->check_started();
    if (of->era() == era::legacy) {
        std::string members;
        add_string(members, "level", to_string(level));
        co_await of->request(std::string(methods::set_log_level), std::move(members));
    }
    of->lasting().log_from(level);
}

task<tool_answer> call_tool(client_core_ptr of, std::string name, call_params arguments, call_hooks hooks)
{
    std::string members = named(name);
    const std::string given = object_text_of(arguments, *of, "a tool's arguments");
    add_member(members, "arguments", given.empty() ? "{}" : given);
    if (checks_results(*of)) {
        task<tool_answer> checked = checked_call(of, std::move(name), std::move(members), std::move(hooks));
        co_return co_await std::move(checked);
    }
    const json_text reply = co_await of->call(std::string(methods::call_tool), std::move(members), std::move(hooks));
    co_return read_tool_answer(reply, of->era());
}

task<resource_answer> read_resource(client_core_ptr of, std::string uri, call_hooks hooks)
{
    const json_text reply = co_await of->call(std::string(methods::read_resource), with_uri(uri), std::move(hooks));
    co_return read_or_drop(of->results(), methods::read_resource, [&] { return read_resource_answer(reply); });
}

task<prompt_answer> get_prompt(client_core_ptr of, std::string name, call_params arguments, call_hooks hooks)
{
    std::string members = named(name);
    const std::string given = object_text_of(arguments, *of, "a prompt's arguments");
    if (!given.empty())
        add_member(members, "arguments", given);
    const json_text reply = co_await of->call(std::string(methods::get_prompt), std::move(members), std::move(hooks));
    co_return read_prompt_answer(reply);
}

task<void> subscribe(client_core_ptr of, std::string uri)
{
    of->check_started();
    if (of->era() == era::modern) {
        task<void> opening = of->changes().subscribe(listen_subject::resource(uri));
        co_await std::move(opening);
    } else
        co_await of->request(std::string(methods::subscribe), with_uri(uri));
    of->lasting().subscribe(std::move(uri));
}

task<void> unsubscribe(client_core_ptr of, std::string uri)
{
    of->check_started();
    if (of->era() == era::modern) {
        task<void> ending = of->changes().unsubscribe(listen_subject::resource(uri));
        co_await std::move(ending);
    } else
        co_await of->request(std::string(methods::unsubscribe), with_uri(uri));
    of->lasting().unsubscribe(uri);
}

task<completion_answer> complete(client_core_ptr of, completion_target target, std::string argument, std::string value,
                                 std::map<std::string, std::string> known)
{
    of->check_started();
    json::object ref{{"type", target.is_template ? "ref/resource" : "ref/prompt"}};
    ref[target.is_template ? "uri" : "name"] = target.name;
    std::string members;
    add_member(members, "ref", json::serialize(ref));
    add_member(members, "argument", json::serialize(json::object{{"name", argument}, {"value", value}}));
    if (!known.empty() && of->server().revision >= revision::v2025_06_18)
        add_member(members, "context", json::serialize(json::object{{"arguments", as_object(known)}}));
    const json_text reply = co_await of->request(std::string(methods::complete), std::move(members));
    co_return read_completion(reply);
}

task<json_text> request(client_core_ptr of, std::string method, call_params params, call_hooks hooks)
{
    const std::string given = object_text_of(params, *of, "the params");
    std::string members;
    if (!given.empty())
        append_members(members, given, "_meta");
    if (members.starts_with(','))
        members.erase(0, 1);
    co_return co_await of->call(std::move(method), std::move(members), std::move(hooks));
}

} // namespace partyline::mcp
