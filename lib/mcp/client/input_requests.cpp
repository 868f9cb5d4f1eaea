#include "mcp/client/input_requests.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_answers.hpp"
#include "mcp/answers/read_result.hpp"
#include "mcp/client/ask_handlers.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/request_members.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/serialize.hpp>

#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp {

namespace {

bool may_be_asked_back(std::string_view method) noexcept
{
    return method == methods::call_tool || method == methods::get_prompt || method == methods::read_resource;
}

struct input_question {
    std::string method;
    json::object params;

    static constexpr auto notes() { return partyline::notes(note(&input_question::params, defaulted)); }
};
BOOST_DESCRIBE_STRUCT(input_question, (), (method, params))

struct input_required {
    std::optional<json::object> questions; // by key, in the server's order
    std::optional<std::string> state;

    static constexpr auto notes()
    {
        return partyline::notes(note(&input_required::questions, wire_name("inputRequests")),
                                note(&input_required::state, wire_name("requestState")));
    }
};
BOOST_DESCRIBE_STRUCT(input_required, (), (questions, state))

asked_question take_question(const client_core& of, std::string_view method, std::string key, const json::value& whole)
{
    constexpr std::size_t longest_shown = 100;
    const std::string shown = printable(key, longest_shown);
    auto from = read_as<input_question>(method, whole, "inputRequests." + shown);
    asked_question taken{std::move(key), kind_of(from.method, from.params), std::move(from.params)};
    if (!can_answer(of, taken.kind, taken.params))
        throw failed_call(client_errc::no_handler,
                          "the server asks \"" + shown + "\" by " + printable(from.method, longest_shown));
    return taken;
}

std::vector<asked_question> take_questions(const client_core& of, std::string_view method, const json::object& from)
{
    if (from.size() > of.options().max_questions)
        throw failed_call(client_errc::bad_result, std::string(method) + ": more than " +
                                                       std::to_string(of.options().max_questions) + " inputRequests");
    std::vector<asked_question> all;
    for (const auto& [key, question] : from)
        all.push_back(take_question(of, method, key, question));
    return all;
}

} // namespace

std::optional<input_request> read_input_request(std::string_view method, const std::string& type,
                                                const json_text& result)
{
    if (type == "complete")
        return std::nullopt;
    if (type != "input_required" || !may_be_asked_back(method))
        throw failed_call(client_errc::unknown_result_type, std::string(method) + ": \"" + type.substr(0, 100) + '"');
    auto read = read_as<input_required>(method, parse_result(method, result));
    if (!read.questions && !read.state)
        refuse_result(method, "inputRequests", "an object, or a requestState", "nothing");
    input_request asked;
    if (read.state)
        asked.state = read_members(json_view::checked(result.text())).request_state.text();
    if (read.questions)
        asked.questions = std::move(*read.questions);
    return asked;
}

task<std::string> answer_input_request(std::shared_ptr<client_core> of, std::string method, input_request asked,
                                       time_limit limit)
{
    std::string members;
    if (!asked.questions.empty()) {
        task<json::object> answering = answer_questions(of, method, std::move(asked.questions), limit);
        const json::object answers = co_await std::move(answering);
        add_member(members, "inputResponses", json::serialize(answers));
    }
    if (!asked.state.empty())
        add_member(members, "requestState", asked.state);
    co_return members;
}

task<json::object> answer_questions(std::shared_ptr<client_core> of, std::string from, json::object questions,
                                    time_limit limit)
{
    std::vector<asked_question> all = take_questions(*of, from, questions);
    task<json::object> answering = ask_handlers(of, std::move(all), limit);
    co_return co_await std::move(answering);
}

} // namespace partyline::mcp
