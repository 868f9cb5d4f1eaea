#include "rpc/wrapped_handler.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;

namespace partyline::detail {
namespace {

bool has_coroutines(const middleware_list& chain)
{
    return std::any_of(chain.begin(), chain.end(), [](const auto& one) { return one->is_coroutine(); });
}

// Keeps what a plain handler writes.
class result_keeper final : public result_writer {
public:
    void write(const json::value& result) override { kept = result; }
    void write(json_view result) override { kept = json_text(result); }
    void write(const json_text& result) override { kept = result; }

    request_result kept;
};

void write_answer(request_result answer, result_writer& out)
{
    if (const json::value* const value = answer.if_value())
        out.write(*value);
    else
        out.write(*answer.if_text());
}

awaitable<json::value> value_of(request_result answer)
{
    co_return std::move(answer).to_value();
}

awaitable<json_text> text_of(request_result answer)
{
    co_return std::move(answer).to_text();
}

awaitable<request_result> ready(request_result answer)
{
    co_return answer;
}

} // namespace

// What a coroutine ends with has no form of its own: text holds all there are, exactly.
wrapped_handler::wrapped_handler(handler& target, const middleware_list& chain)
    : handler(has_coroutines(chain) ? kind::text_coroutine : target.how(),
              target.takes_value() && !has_coroutines(chain)),
      target_(target), chain_(chain)
{
}

std::optional<request_result> wrapped_handler::ask_all(request_context& context, json_view params) const
{
    for (const std::unique_ptr<middleware>& one : chain_) {
        if (std::optional<request_result> answer = one->before(context, params))
            return answer;
    }
    return std::nullopt;
}

void wrapped_handler::call(request_context& context, json_view params, result_writer& out)
{
    if (std::optional<request_result> answer = ask_all(context, params))
        write_answer(std::move(*answer), out);
    else
        target_.call(context, params, out);
}

awaitable<json::value> wrapped_handler::start(request_context& context, json_view params)
{
    if (std::optional<request_result> answer = ask_all(context, params))
        return value_of(std::move(*answer));
    return target_.start(context, params);
}

awaitable<json_text> wrapped_handler::start_text(request_context& context, json_view params)
{
    if (has_coroutines(chain_))
        return run(context, std::string(params.text()));
    if (std::optional<request_result> answer = ask_all(context, params))
        return text_of(std::move(*answer));
    return target_.start_text(context, params);
}

// Has the params in its frame: a middleware that has awaited something still hands them on.
awaitable<json_text> wrapped_handler::run(request_context& context, std::string params) const
{
    request_result result = co_await proceed(context, json_view::checked(params), 0);
    co_return std::move(result).to_text();
}

awaitable<request_result> wrapped_handler::proceed(request_context& context, json_view params, std::size_t at) const
{
    for (; at != chain_.size(); ++at) {
        if (chain_[at]->is_coroutine())
            return run_middleware(context, params, at);
        if (std::optional<request_result> answer = chain_[at]->before(context, params))
            return ready(std::move(*answer));
    }
    return run_target(context, params);
}

awaitable<request_result> wrapped_handler::run_middleware(request_context& context, json_view params,
                                                          std::size_t at) const
{
    next_handler next(*this, context, params, at + 1);
    co_return co_await chain_[at]->around(context, params, next);
}

awaitable<request_result> wrapped_handler::run_target(request_context& context, json_view params) const
{
    if (target_.how() == kind::value_coroutine)
        return run_value(context, params);
    if (target_.how() == kind::text_coroutine)
        return run_text(context, params);
    result_keeper out;
    target_.call(context, params, out);
    return ready(std::move(out.kept));
}

awaitable<request_result> wrapped_handler::run_value(request_context& context, json_view params) const
{
    co_return co_await target_.start(context, params);
}

awaitable<request_result> wrapped_handler::run_text(request_context& context, json_view params) const
{
    co_return co_await target_.start_text(context, params);
}

} // namespace partyline::detail
