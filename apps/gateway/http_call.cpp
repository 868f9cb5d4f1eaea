#include "gateway/http_call.hpp"

#include "http/client_settings.hpp"
#include "http/connections/answer_stream.hpp"
#include "http/connections/refusal.hpp"

#include <utility>

namespace asio = boost::asio;
namespace http = partyline::http;

namespace gateway {
namespace {

constexpr std::size_t longest_message = std::size_t(16) << 20;

} // namespace

remote_link::remote_link(const asio::any_io_executor& executor, const remote_address& at)
    : pool(executor, at.to, http::connections_of(at.how)), fields(http::connections_of(at.how).fields)
{
}

struct http_call::state {
    explicit state(remote_link& to) : over(to) {}

    remote_link& over;
    std::optional<http::pooled_response> answer;
    std::optional<http::answer_stream> messages;
    http::time_limit until = http::no_time_limit;
};

http_call::http_call(remote_link& over) : state_(std::make_unique<state>(over)) {}

http_call::~http_call() = default;

asio::awaitable<answer_head> http_call::post(field_list fields, std::string body, bool asks)
{
    if (!asks)
        state_->until = std::chrono::steady_clock::now() + http::telling_time;
    fields.emplace_back("Content-Type", "application/json");
    fields.emplace_back("Accept", "application/json, text/event-stream");
    return send("POST", std::move(fields), std::move(body), asks);
}

asio::awaitable<answer_head> http_call::send(std::string method, field_list fields, std::string body, bool asks)
{
    state& s = *state_;
    http::client_request request;
    request.method = std::move(method);
    request.target = s.over.pool.server().target;
    request.fields = std::move(fields);
    request.fields.insert(request.fields.end(), s.over.fields.begin(), s.over.fields.end());
    request.body = std::make_shared<const std::string>(std::move(body));
    request.is_control = !asks;
    s.answer.emplace(co_await s.over.pool.send(std::move(request), s.until));
    s.messages.emplace(*s.answer, longest_message);
    const http::received_head& came = s.answer->head();
    co_await http::check_credentials(*s.answer, longest_message);
    co_return answer_head{came.status, s.messages->is_event_stream(), std::string(came.find("mcp-session-id")),
                          http::status_words(came)};
}

asio::awaitable<std::optional<std::string>> http_call::next_message()
{
    return state_->messages->next(state_->until);
}

void http_call::close() noexcept
{
    state_->messages.reset();
    state_->answer.reset();
}

std::string http_call::last_event_id() const
{
    return state_->messages->last_event_id();
}

std::optional<std::chrono::milliseconds> http_call::retry() const
{
    return state_->messages->retry();
}

} // namespace gateway
