#include "mcp/server/calls/client_questions.hpp"

#include "mcp/state/hmac.hpp"
#include "mcp/wire/sampling_messages.hpp"
#include "protocol/json/base64.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/mcp/tool_error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

// In 2025-11-25 alone a page has an id, by which its end could be told.
call_params params_of(const detail::question& asked, revision r)
{
    json::object params = asked.params;
    if (params.contains("url") && r == revision::v2025_11_25)
        params["elicitationId"] = encode_base64url(random_bytes(16));
    if (asked.method == "sampling/createMessage")
        fit_sampling_messages(params, r);
    return params.empty() ? call_params(nullptr) : call_params(std::move(params));
}

[[noreturn]] void throw_unanswered(const detail::question& asked, const std::string& why)
{
    throw tool_error("The client has not answered \"" + asked.key + "\" (" + asked.method + "): " + why);
}

void take_answer(const detail::open_question& question, error_code failed, const response& reply)
{
    if (failed == asio::error::operation_aborted) // the request is cancelled, or its deadline over
        throw boost::system::system_error(failed);
    if (failed)
        throw_unanswered(*question.asked, failed.message());
    if (const error_object* const error = reply.error())
        throw_unanswered(*question.asked, error->message);
    if (!question.read(reply->to_value(), question.into))
        throw tool_error("The client has answered \"" + question.asked->key + "\" (" + question.asked->method +
                         ") with something else");
}

task<void> ask_one(request_context& rpc, revision r, const detail::open_question& question)
{
    call_params params = params_of(*question.asked, r);
    rpc.attach(question_key{question.asked->key});
    const auto [failed, reply] =
        co_await rpc.call(question.asked->method, std::move(params))(asio::as_tuple(asio::deferred));
    take_answer(question, failed, reply);
}

/// Several calls at once. (Asio 1.26: parallel_group has their ends come by the system executor, where what they throw
/// ends the process.)
struct open_calls {
    struct one {
        asio::cancellation_signal cancel;
        error_code failed;
        std::optional<response> reply;
    };

    open_calls(const asio::any_io_executor& where, std::size_t count) : all_ended(where), calls(count), left(count) {}

    async_event all_ended;
    std::vector<one> calls;
    std::size_t left;
};

/// The end of one of them; it has come also where it is never told, for want of memory.
class call_end {
public:
    call_end(std::shared_ptr<open_calls> of, std::size_t number) noexcept : of_(std::move(of)), number_(number) {}
    call_end(call_end&&) noexcept = default;
    ~call_end()
    {
        if (of_ && --of_->left == 0)
            of_->all_ended.set();
    }

    void operator()(error_code failed, response reply)
    {
        of_->calls[number_].failed = failed;
        of_->calls[number_].reply.emplace(std::move(reply));
    }

private:
    std::shared_ptr<open_calls> of_;
    const std::size_t number_;
};

/// What has not ended with the handler's wait has nobody who would want its answer.
class abandoned_at_end {
public:
    explicit abandoned_at_end(std::shared_ptr<open_calls> of) noexcept : of_(std::move(of)) {}
    ~abandoned_at_end()
    {
        if (of_->left != 0)
            for (open_calls::one& each : of_->calls)
                each.cancel.emit(asio::cancellation_type::terminal);
    }
    abandoned_at_end(const abandoned_at_end&) = delete;
    abandoned_at_end& operator=(const abandoned_at_end&) = delete;

private:
    const std::shared_ptr<open_calls> of_;
};

void start_call(request_context& rpc, revision r, const detail::question& asked, const std::shared_ptr<open_calls>& in,
                std::size_t number)
{
    rpc.attach(question_key{asked.key});
    rpc.call(asked.method, params_of(asked, r))(asio::bind_cancellation_slot(
        in->calls[number].cancel.slot(), asio::bind_executor(rpc.get_executor(), call_end(in, number))));
}

task<void> ask_several(request_context& rpc, revision r, const detail::open_question* questions, std::size_t count)
{
    const auto open = std::make_shared<open_calls>(rpc.get_executor(), count);
    const abandoned_at_end own(open);
    for (std::size_t i = 0; i != count; ++i)
        start_call(rpc, r, *questions[i].asked, open, i);
    co_await open->all_ended.async_wait(asio::as_tuple(asio::deferred));
    if (open->left != 0)
        throw boost::system::system_error(asio::error::operation_aborted);
    for (std::size_t i = 0; i != count; ++i) {
        const open_calls::one& ended = open->calls[i];
        if (!ended.reply)
            throw std::bad_alloc();
        take_answer(questions[i], ended.failed, *ended.reply);
    }
}

} // namespace

task<void> ask_client(request_context& rpc, revision r, const detail::open_question* questions, std::size_t count)
{
    return count == 1 ? ask_one(rpc, r, *questions) : ask_several(rpc, r, questions, count);
}

} // namespace partyline::mcp
