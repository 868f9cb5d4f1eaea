#include "mcp/client/questions.hpp"

#include "mcp/answers/read_result.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/wire/descriptions.hpp"

#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

BOOST_DESCRIBE_STRUCT(elicit_request, (), (message, schema))
constexpr auto notes_of(of<elicit_request>)
{
    return notes(note(&elicit_request::schema, wire_name("requestedSchema")));
}

BOOST_DESCRIBE_STRUCT(page_request, (), (message, url, id))
constexpr auto notes_of(of<page_request>)
{
    return notes(note(&page_request::id, wire_name("elicitationId"), defaulted));
}

BOOST_DESCRIBE_STRUCT(sample_request, (), (messages, system_prompt, temperature, stop_sequences))
constexpr auto notes_of(of<sample_request>)
{
    using me = sample_request;
    return notes(note(&me::system_prompt, wire_name("systemPrompt"), defaulted),
                 note(&me::stop_sequences, wire_name("stopSequences"), defaulted));
}

namespace {

constexpr std::string_view elicit_method = "elicitation/create";
constexpr std::string_view sample_method = "sampling/createMessage";

/// A count that may be beyond all measure.
struct sample_params : sample_request {
    std::uint64_t most_tokens = 0;

    static constexpr auto notes()
    {
        return partyline::notes(note(&sample_params::most_tokens, wire_name("maxTokens")));
    }
};
BOOST_DESCRIBE_STRUCT(sample_params, (sample_request), (most_tokens))

template <class Request>
Request read_request(std::string_view method, asked_question asked)
{
    json::value whole(std::move(asked.params));
    Request read = read_as<Request>(method, whole);
    read.key = std::move(asked.key);
    read.raw = std::move(whole.get_object());
    return read;
}

json::value write_sample(const sampling_answer& of)
{
    json::object out{{"role", json::string(to_string(of.role))}, {"content", of.content}, {"model", of.model}};
    put_text(out, "stopReason", of.stop_reason);
    return out;
}

json::value write_roots(const std::vector<root>& all)
{
    json::array listed;
    for (const root& one : all) {
        json::object written{{"uri", one.uri}};
        put_text(written, "name", one.name);
        listed.push_back(std::move(written));
    }
    return json::object{{"roots", std::move(listed)}};
}

task<json::value> answer_form(std::shared_ptr<client_core> of, asked_question question)
{
    elicit_request asked = read_request<elicit_request>(elicit_method, std::move(question));
    const elicit_answer answer = co_await of->handlers().elicit->answer(std::move(asked));
    json::object out{{"action", json::string(to_string(answer.action()))}};
    if (answer.action() == elicit_action::accept)
        out["content"] = answer.content();
    co_return json::value(std::move(out));
}

task<json::value> answer_page(std::shared_ptr<client_core> of, asked_question question)
{
    page_request asked = read_request<page_request>(elicit_method, std::move(question));
    open_page shown(of->pages(), asked.id); // the user may be done with it before the handler is
    const elicit_action action = co_await of->handlers().elicit_page->answer(std::move(asked));
    if (action == elicit_action::accept)
        shown.keep();
    json::object out{{"action", json::string(to_string(action))}};
    co_return json::value(std::move(out));
}

task<json::value> answer_sample(std::shared_ptr<client_core> of, asked_question question)
{
    constexpr std::uint64_t greatest = std::numeric_limits<std::int64_t>::max();
    sample_params asked = read_request<sample_params>(sample_method, std::move(question));
    asked.max_tokens = static_cast<std::int64_t>(std::min(asked.most_tokens, greatest));
    const sampling_answer answer = co_await of->handlers().sample->answer(std::move(asked));
    co_return write_sample(answer);
}

task<json::value> answer_roots(std::shared_ptr<client_core> of, asked_question question)
{
    const client_handlers& known = of->handlers();
    if (!known.list_roots)
        co_return write_roots(known.roots);
    roots_request asked{std::move(question.key), std::move(question.params)};
    const std::vector<root> answer = co_await known.list_roots->answer(std::move(asked));
    co_return write_roots(answer);
}

bool offers_tools(const json::object& params) noexcept
{
    return params.contains("tools") || params.contains("toolChoice");
}

} // namespace

question_kind kind_of(std::string_view method, const json::object& params) noexcept
{
    if (method == sample_method)
        return question_kind::sample;
    if (method == "roots/list")
        return question_kind::roots;
    if (method != elicit_method)
        return question_kind::unknown;
    const json::value* const mode = params.if_contains("mode");
    if (!mode)
        return question_kind::form;
    const json::string* const text = mode->if_string();
    if (!text || (*text != "form" && *text != "url"))
        return question_kind::unknown;
    return *text == "url" ? question_kind::page : question_kind::form;
}

bool can_answer(const client_core& of, question_kind kind, const json::object& params) noexcept
{
    const client_handlers& known = of.handlers();
    switch (kind) {
    case question_kind::form: return known.elicit != nullptr;
    case question_kind::page: return known.elicit_page != nullptr;
    case question_kind::sample:
        return known.sample != nullptr && (of.options().samples_with_tools || !offers_tools(params));
    case question_kind::roots: return known.has_roots;
    default: return false;
    }
}

task<json::value> answer_question(std::shared_ptr<client_core> of, asked_question asked)
{
    switch (asked.kind) {
    case question_kind::form: return answer_form(std::move(of), std::move(asked));
    case question_kind::page: return answer_page(std::move(of), std::move(asked));
    case question_kind::sample: return answer_sample(std::move(of), std::move(asked));
    default: return answer_roots(std::move(of), std::move(asked));
    }
}

} // namespace partyline::mcp
