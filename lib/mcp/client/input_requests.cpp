#include "mcp/client/input_requests.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_answers.hpp"
#include "mcp/answers/result_place.hpp"
#include "mcp/client/ask_handlers.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/request_members.hpp"

#include <partyline/mcp/client/client_errc.hpp>

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

asked_question read_question(const client_core& of, const result_place& place, std::string_view key)
{
    const std::string method = place.member("method").string();
    asked_question read{std::string(key), question_kind::unknown, place.member("params").object_or_empty()};
    read.kind = kind_of(method, read.params);
    if (!can_answer(of, read.kind, read.params))
        throw failed_call(client_errc::no_handler,
                          "the server asks \"" + read.key.substr(0, 100) + "\" by " + method.substr(0, 100));
    return read;
}

std::vector<asked_question> read_questions(const client_core& of, std::string_view method, json::object asked)
{
    if (asked.size() > of.options().max_questions)
        throw failed_call(client_errc::bad_result, std::string(method) + ": more than " +
                                                       std::to_string(of.options().max_questions) + " inputRequests");
    const json::value whole(std::move(asked));
    const result_place place(method, whole);
    std::vector<asked_question> all;
    for (const auto& [key, value] : whole.get_object())
        all.push_back(read_question(of, place.member(key), key));
    return all;
}

} // namespace

std::optional<input_request> read_input_request(std::string_view method, const json_text& result)
{
    const std::string type = result_type(method, result);
    if (type == "complete")
        return std::nullopt;
    if (type != "input_required" || !may_be_asked_back(method))
        throw failed_call(client_errc::unknown_result_type, std::string(method) + ": \"" + type.substr(0, 100) + '"');
    const json::value whole = parse_result(method, result);
    const result_place place(method, whole);
    const result_place asked = place.member("inputRequests");
    const result_place state = place.member("requestState");
    if (asked.is_absent() && state.is_absent())
        asked.refuse("an object, or a requestState");
    static_cast<void>(state.string_or({}));
    const request_members texts = read_members(json_view::checked(result.text()));
    return input_request{asked.object_or_empty(), std::string(texts.request_state.text())};
}

task<std::string> answer_input_request(std::shared_ptr<client_core> of, std::string method, input_request asked,
                                       time_limit limit)
{
    std::string members;
    if (!asked.questions.empty()) {
        std::vector<asked_question> questions = read_questions(*of, method, std::move(asked.questions));
        const json::object answers = co_await ask_handlers(of, std::move(questions), limit);
        add_member(members, "inputResponses", json::serialize(answers));
    }
    if (!asked.state.empty())
        add_member(members, "requestState", asked.state);
    co_return members;
}

} // namespace partyline::mcp
