#include <partyline/mcp/questions.hpp>

#include "mcp/wire/content_text.hpp"
#include "mcp/wire/descriptions.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

const json::object* object_of(const json::value& from)
{
    return from.if_object();
}

std::optional<std::string> string_of(const json::object& from, std::string_view name)
{
    const json::value* const found = from.if_contains(name);
    if (!found || !found->is_string())
        return std::nullopt;
    return std::string(found->get_string());
}

json::value content_value(const std::vector<content>& of)
{
    byte_buffer text;
    if (of.size() == 1)
        write_content(text, of.front(), newest_modern);
    else
        write_contents(text, of, newest_modern);
    return json::parse(text.view());
}

void append_text(std::string& to, const json::value& block)
{
    const json::object* const members = block.if_object();
    if (!members || string_of(*members, "type") != "text")
        return;
    if (!to.empty())
        to += '\n';
    to += string_of(*members, "text").value_or("");
}

std::optional<elicit_action> find_action(std::string_view text)
{
    for (const elicit_action one : {elicit_action::accept, elicit_action::decline, elicit_action::cancel})
        if (text == to_string(one))
            return one;
    return std::nullopt;
}

} // namespace

std::string_view to_string(elicit_action what) noexcept
{
    switch (what) {
    case elicit_action::accept: return "accept";
    case elicit_action::decline: return "decline";
    case elicit_action::cancel: break;
    }
    return "cancel";
}

std::string sampling_answer::text() const
{
    std::string all;
    if (const json::array* const blocks = content.if_array())
        for (const json::value& block : *blocks)
            append_text(all, block);
    else
        append_text(all, content);
    return all;
}

std::optional<raw_form::answer_type> raw_form::read(const json::value& from)
{
    std::optional<detail::elicit_result> told = detail::read_elicit_result(from);
    if (!told)
        return std::nullopt;
    if (told->action != elicit_action::accept)
        return answer_type(told->action);
    return answer_type(std::move(told->content));
}

std::optional<url::answer_type> url::read(const json::value& from)
{
    const std::optional<detail::elicit_result> told = detail::read_elicit_result(from);
    if (!told)
        return std::nullopt;
    return told->action;
}

namespace detail {

// A form's schema is flat; that nothing else is in it goes without saying.
json::object form_params(std::string message, json::object schema)
{
    schema.erase("additionalProperties");
    return {{"message", std::move(message)}, {"requestedSchema", std::move(schema)}};
}

json::object url_params(std::string message, std::string url)
{
    return {{"mode", "url"}, {"message", std::move(message)}, {"url", std::move(url)}};
}

json::object sampling_params(const sampling_request& of)
{
    json::object params = of.others;
    json::array messages;
    for (const sampling_request::message& one : of.messages)
        messages.push_back(
            json::object{{"role", json::string(to_string(one.role))}, {"content", content_value(one.content)}});
    params["messages"] = std::move(messages);
    params["maxTokens"] = of.max_tokens;
    put_text(params, "systemPrompt", of.system_prompt);
    if (of.temperature)
        params["temperature"] = *of.temperature;
    if (!of.stop_sequences.empty())
        params["stopSequences"] = json::array(of.stop_sequences.begin(), of.stop_sequences.end());
    return params;
}

std::optional<elicit_result> read_elicit_result(const json::value& from)
{
    const json::object* const members = object_of(from);
    if (!members)
        return std::nullopt;
    const std::optional<elicit_action> action = find_action(string_of(*members, "action").value_or(""));
    if (!action)
        return std::nullopt;
    const json::value* const content = members->if_contains("content");
    return elicit_result{*action, content ? *content : json::value()};
}

std::optional<sampling_answer> read_sampling_answer(const json::value& from)
{
    const json::object* const members = object_of(from);
    if (!members || !members->contains("content") || !string_of(*members, "model"))
        return std::nullopt;
    sampling_answer read;
    read.role = string_of(*members, "role") == "user" ? role::user : role::assistant;
    read.model = string_of(*members, "model").value_or("");
    read.stop_reason = string_of(*members, "stopReason").value_or("");
    read.content = members->at("content");
    return read;
}

std::optional<std::vector<root>> read_roots(const json::value& from)
{
    const json::object* const members = object_of(from);
    const json::value* const listed = members ? members->if_contains("roots") : nullptr;
    if (!listed || !listed->is_array())
        return std::nullopt;
    std::vector<root> all;
    for (const json::value& one : listed->get_array()) {
        const json::object* const known = one.if_object();
        const std::optional<std::string> uri = known ? string_of(*known, "uri") : std::nullopt;
        if (!uri)
            return std::nullopt;
        all.push_back({*uri, string_of(*known, "name").value_or("")});
    }
    return all;
}

} // namespace detail
} // namespace partyline::mcp
