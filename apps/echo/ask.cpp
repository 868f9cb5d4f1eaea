#include "ask.hpp"

#include <partyline/session/peer_wait.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace echo {
namespace {

// A question that is open. Its timer never expires: it is cancelled when there is an answer.
struct question {
    asio::steady_timer answered;
    std::optional<json::value> answer;
};

// By the id of the request that asks.
using questions = std::map<std::string, question>;

class open_question {
public:
    open_question(questions& all, const json::value& id, const asio::any_io_executor& executor)
        : all_(all),
          place_(all.emplace(json::serialize(id),
                             question{asio::steady_timer(executor, asio::steady_timer::time_point::max()), std::nullopt})
                     .first)
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

asio::awaitable<json::value> ask(std::shared_ptr<questions> all, request_context& context, std::string text)
{
    const json::value id = json::parse(context.id().text());
    const open_question open(*all, id, context.get_executor());
    question& own = *open;
    json::object asked{{"id", id}, {"question", text}};
    co_await context.notify("question", std::move(asked));

    const partyline::peer_wait waiting(context); // others may start meanwhile: the answer comes behind them
    boost::system::error_code woken;
    while (!own.answer && !context.cancelled())
        co_await own.answered.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (!own.answer)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return std::move(*own.answer);
}

void answer(questions& all, const json::value& id, json::value value)
{
    const auto found = all.find(json::serialize(id));
    if (found == all.end())
        return;
    found->second.answer = std::move(value);
    found->second.answered.cancel();
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
    methods.add("ask",
                [](request_context& context, std::string text) {
                    return ask(questions_of(context), context, std::move(text));
                },
                {"question"});
    methods.add_notification("answer",
                             [](request_context& context, json::value id, json::value value) {
                                 answer(*questions_of(context), id, std::move(value));
                             },
                             {"id", "value"});
}

} // namespace echo
