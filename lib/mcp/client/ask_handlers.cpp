#include "mcp/client/ask_handlers.hpp"

#include "mcp/client/joined_tasks.hpp"

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {

task<json::object> ask_handlers(std::shared_ptr<client_core> of, std::vector<asked_question> asked, time_limit limit)
{
    std::vector<task<json::value>> handlers;
    for (asked_question& each : asked) {
        asked_question one{each.key, each.kind, std::move(each.params)};
        handlers.push_back(answer_question(of, std::move(one)));
    }
    task<std::vector<json::value>> answering = join_tasks(of, std::move(handlers), limit, "the answers took too long");
    std::vector<json::value> answers = co_await std::move(answering);
    json::object all;
    for (std::size_t i = 0; i != asked.size(); ++i)
        all[asked[i].key] = std::move(answers[i]);
    co_return all;
}

} // namespace partyline::mcp
