#include "mcp_extensions/tasks/task_call.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace json = boost::json;

namespace partyline::mcp {

std::string tool_in(json_view params)
{
    message_reader reader{limits()};
    const json::value name = reader.find_member(params, "name").to_value();
    return name.is_string() ? std::string(name.get_string()) : std::string();
}

bool brings_answers(json_view params)
{
    message_reader reader{limits()};
    const json_view found = reader.find_member(params, "inputResponses");
    return !found.empty() && found.text() != "null";
}

std::optional<task_questions> questions_in(const json_text& result)
{
    message_reader reader{limits()};
    const json_view all = json_view::checked(result.text());
    if (!result.text().starts_with('{') || reader.find_member(all, "resultType").text() != R"("input_required")")
        return std::nullopt;
    task_questions found;
    const json::value asked = reader.find_member(all, "inputRequests").to_value();
    if (const json::object* const requests = asked.if_object())
        for (const json::key_value_pair& one : *requests)
            found.requests.push_back({std::string(one.key()), json::serialize(one.value())});
    found.state = reader.find_member(all, "requestState").text();
    return found;
}

void check_answers(json_view input_responses)
{
    if (!input_responses.text().starts_with('{'))
        throw rpc_error(partyline::error_codes::invalid_params, "Invalid params",
                        json::object{{"param", "inputResponses"}, {"expected", "object"}});
}

task_answers answers_in(json_view input_responses)
{
    const json::value brought = input_responses.to_value();
    task_answers texts;
    for (const json::key_value_pair& one : brought.as_object())
        texts.emplace(one.key(), json::serialize(one.value()));
    return texts;
}

} // namespace partyline::mcp
