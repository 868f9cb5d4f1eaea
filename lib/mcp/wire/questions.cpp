#include <partyline/mcp/questions.hpp>

#include "mcp/wire/content_lines.hpp"
#include "mcp/wire/content_text.hpp"
#include "mcp/wire/descriptions.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

BOOST_DESCRIBE_STRUCT(sampling_answer, (), (role, model, stop_reason, content))
constexpr auto notes_of(of<sampling_answer>)
{
    using me = sampling_answer;
    return notes(note(&me::role, defaulted), note(&me::stop_reason, wire_name("stopReason"), defaulted));
}

BOOST_DESCRIBE_STRUCT(root, (), (uri, name))
constexpr auto notes_of(of<root>)
{
    return notes(note(&root::name, defaulted));
}

namespace detail {

BOOST_DESCRIBE_STRUCT(elicit_result, (), (action, content))
constexpr auto notes_of(of<elicit_result>)
{
    return notes(note(&elicit_result::content, defaulted));
}

} // namespace detail

namespace {

struct roots_answer {
    std::vector<root> roots;
};
BOOST_DESCRIBE_STRUCT(roots_answer, (), (roots))

// Nothing where it is something else. Clients may know more members than there are here.
template <class T>
std::optional<T> read_as(const json::value& from)
{
    error_object problem;
    return partyline::detail::read_tolerantly<T>(from, problem);
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
    content_lines all;
    all.add(content);
    return all.text();
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
    return read_as<elicit_result>(from);
}

std::optional<sampling_answer> read_sampling_answer(const json::value& from)
{
    return read_as<sampling_answer>(from);
}

std::optional<std::vector<root>> read_roots(const json::value& from)
{
    std::optional<roots_answer> read = read_as<roots_answer>(from);
    if (!read)
        return std::nullopt;
    return std::move(read->roots);
}

} // namespace detail
} // namespace partyline::mcp
