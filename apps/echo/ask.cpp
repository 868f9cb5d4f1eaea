#include "ask.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/peer_wait.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/json/serialize.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace echo {
namespace {

// A question that is open.
struct question {
    explicit question(const asio::any_io_executor& executor) : answered(executor) {}

    partyline::async_event answered;
    std::optional<json::value> answer;
};

// By the key of the id of the request that asks: as values, 1.0 and 1e0 would be one id.
using questions = std::map<std::string, question>;

class open_question {
public:
    open_question(questions& all, std::string_view key, const asio::any_io_executor& executor)
        : all_(all), place_(all.try_emplace(std::string(key), executor).first)
    {
    }
    ~open_question() { all_.erase(place_); }
    open_question(const open_question&) = delete;
    open_question& operator=(const open_question&) = delete;

    question& operator*() const noexcept { return place_->second; }

private:
    questions& all_;
    questions::iterator place_;
};

// As text, since only text has the id exactly as the peer wrote it.
partyline::json_text question_params(const partyline::request_id& id, const std::string& question)
{
    return partyline::json_text("{\"id\":" + std::string(id.text()) +
                                ",\"question\":" + json::serialize(json::value(question)) + '}');
}

partyline::task<json::value> ask(std::shared_ptr<questions> all, request_context& context, std::string text)
{
    if (context.id().empty()) // it came as a notification: nobody could say what the answer belongs to
        throw partyline::rpc_error(partyline::error_codes::invalid_request, "Invalid Request");
    const open_question open(*all, context.id().key(), context.get_executor());
    question& own = *open;
    const partyline::peer_wait waiting(context); // others may start meanwhile: the answer comes behind them
    partyline::call_params asked = question_params(context.id(), text);
    co_await context.notify("question", std::move(asked));

    co_await own.answered.async_wait(asio::as_tuple(asio::deferred));
    if (!own.answer)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return std::move(*own.answer);
}

// As `request_id::key`: a string decoded, a number as it is written.
std::string key_of(partyline::json_view id)
{
    if (!id.text().starts_with('"'))
        return std::string(id.text());
    const json::value decoded = id.to_value();
    return '"' + std::string(decoded.get_string()) + '"';
}

void answer(questions& all, partyline::json_view id, json::value value)
{
    const auto found = all.find(key_of(id));
    if (found == all.end())
        return;
    found->second.answer = std::move(value);
    found->second.answered.set();
}

// Those of the session: two peers may use the same ids.
std::shared_ptr<questions> questions_of(request_context& context)
{
    return *context.user_data<std::shared_ptr<questions>>();
}

} // namespace

std::any make_session_data()
{
    return std::make_shared<questions>();
}

void add_ask(partyline::method_table& methods)
{
    methods.add(
        "ask",
        [](request_context& context, std::string text) { return ask(questions_of(context), context, std::move(text)); },
        {"question"});
    methods.add_notification("answer",
                             [](request_context& context, partyline::json_view id, json::value value) {
                                 answer(*questions_of(context), id, std::move(value));
                             },
                             {"id", "value"});
}

} // namespace echo
