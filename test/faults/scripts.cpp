#include "faulty_run.hpp"

#include <partyline/lsp/lsp.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/caller.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

std::string line(std::string text)
{
    return std::move(text) + '\n';
}

// Longer than a string that needs no memory, as the ids of many clients are.
std::string id_text(int id)
{
    return "\"5f0c6a1e-8d4b-4c57-9a1f-0000000" + std::to_string(id) + '"';
}

std::string request(int id, const std::string& method, const std::string& params)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id_text(id) + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
}

std::string notification(const std::string& method, const std::string& params)
{
    return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
}

std::string cancel(int id)
{
    return notification("$/cancelRequest", "{\"id\":" + id_text(id) + '}');
}

std::string reply(int id)
{
    return "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"result\":[\"so\"]}";
}

std::string framed(const std::string& text)
{
    return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

// The same for params, so that every copy of them may fail.
constexpr const char* words = R"(["these are many words, so that whoever keeps them needs memory"])";

asio::awaitable<json::value> hop(request_context& context, json::value params)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_return params;
}

asio::awaitable<json::value> forever(request_context& context, json::value)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
    co_return nullptr;
}

// Does not end when it is cancelled.
asio::awaitable<json::value> stay(request_context& context, json::value)
{
    for (;;) {
        co_await asio::this_coro::throw_if_cancelled(false);
        asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
        error_code ignored;
        co_await never.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_await asio::this_coro::reset_cancellation_state();
    }
}

asio::awaitable<json::value> refuse_at_length(request_context& context, json::value)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    throw rpc_error(7, std::string(5000, 'n'));
}

asio::awaitable<json::value> report(request_context& context, json::value params)
{
    co_await context.progress(params);
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    json::value told = json::array{params};
    co_await context.notify("told", std::move(told));
    co_await context.progress("the last of it, and a text that is long enough to need memory");
    co_return params;
}

asio::awaitable<json::value> ask(request_context& context, json::value params)
{
    json::array asked{params};
    const call_result<json::value> answer =
        co_await context.async_call<json::value>("question", std::move(asked), asio::use_awaitable);
    co_return answer.value();
}

asio::awaitable<json::value> big(request_context& context, json::value)
{
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_return json::value(std::string(300'000, 'b'));
}

json::value refuse(json::value params)
{
    throw std::runtime_error("no, and in so many words that they need memory: " + std::to_string(params.is_array()));
}

void speak_lsp(session_options& options)
{
    options.profile = &lsp::profile;
}

// What is behind two marks is soon full.
void have_little_room(session_options& options)
{
    options.bounds.outbox_soft_bytes = 10'000;
    options.bounds.outbox_hard_bytes = 200'000;
    options.bounds.in_flight_requests = 4;
}

script plain()
{
    return {"plain requests and bad lines",
            {line(request(1, "echo", words)) + line(request(2, "refuse", words)) + line("rubbish"),
             line(request(3, "nobody", words)) + line("{\"id\":4}") + line(request(5, "echo", "[1e400]"))},
            {},
            false,
            0,
            false};
}

script suspending()
{
    return {"handlers that suspend",
            {line(request(1, "hop", words)) + line(request(2, "hop", words)) + line(notification("hop", words)),
             line(request(3, "report", words)) + line(request(4, "offloaded", words))}};
}

script cancelled()
{
    return {"cancels and the end of input",
            {line(request(1, "forever", words)) + line(request(2, "forever", words)), line(cancel(1)),
             line(request(3, "alone", words)) + line(request(4, "alone", words)) + line(request(5, "echo", words))}};
}

script batches()
{
    return {"batches",
            {line("[" + request(1, "echo", words) + "," + request(2, "hop", words) + ",7," +
                  notification("hop", words) + "]") +
             line("[" + request(3, "offloaded", words) + "," + request(4, "nobody", words) + "]")}};
}

script calling()
{
    return {"calls, nested and its owner's",
            {line(request(1, "ask", words)), line(reply(1)) + line(reply(3)), line(cancel(1))},
            {},
            false,
            2};
}

boost::asio::awaitable<response> pass_on(peer_call&, next_call& next)
{
    co_return co_await next();
}

void put_middleware_around(session_options& options)
{
    options.around_calls.add([](peer_call& call) { call.set_metadata("trace", boost::json::value(words)); });
    options.around_calls.add(pass_on);
}

script passing_middleware()
{
    script played = calling();
    played.name = "calls with middleware around";
    played.input = {line(request(1, "ask", words)), line(reply(18)) + line(reply(35)), line(cancel(1))};
    played.prepare = put_middleware_around;
    played.calls = 16; // so that ends are told with no memory kept for reuse
    played.notifications = 1;
    return played;
}

script unanswered()
{
    return {"calls that nobody answers",
            {line(request(1, "ask", words)) + line(request(2, "ask_elsewhere", words))},
            {},
            false,
            3};
}

script unread()
{
    return {"a peer that reads late",
            {line(request(1, "big", "[]")) + line(request(2, "big", "[]")) + line(request(3, "hop", words)),
             line(request(4, "report", words)) + line(request(5, "hop", words)) + line(request(6, "big", "[]")),
             line(request(7, "ask", words)), line(cancel(7))},
            have_little_room,
            true,
            1};
}

script stubborn()
{
    return {"handlers that do not end, and others that wait",
            {line(request(1, "stay", words)) + line(request(2, "alone", words)) + line(request(3, "echo", words)) +
             line(notification("hop", words))}};
}

script refused_late()
{
    return {
        "long refusals that wait for room",
        {line(request(1, "big", "[]")) + line(request(2, "refuse_at_length", "[]")) + line(request(3, "report", words)),
         line(request(4, "refuse_at_length", "[]")) + line(request(5, "report", words))},
        have_little_room,
        true};
}

script telling()
{
    script played = plain();
    played.name = "notifications of its owner's";
    played.notifications = 3;
    return played;
}

script long_messages()
{
    const std::string text = "[\"" + std::string(200'000, 'x') + "\"]";
    return {"long messages",
            {line(request(1, "echo", text)), line(request(2, "hop", text)) + line(request(3, "echo", words))}};
}

script language_server()
{
    return {
        "a language server",
        {framed(request(1, "initialize",
                        R"({"processId":null,"capabilities":{"window":{"workDoneProgress":true}},"trace":"verbose"})")),
         framed(notification("initialized", "{}")) + framed(request(2, "hop", words)) +
             framed(request(3, "report", R"({"workDoneToken":"t"})")),
         framed(notification("$/setTrace", R"({"value":"off"})")) + framed(request(4, "shutdown", "[]")),
         framed(notification("exit", "[]"))},
        speak_lsp};
}

} // namespace

const std::vector<script>& scripts()
{
    static const std::vector<script> all{
        plain(),         suspending(),      cancelled(), batches(),      calling(), unanswered(),        unread(),
        long_messages(), language_server(), stubborn(),  refused_late(), telling(), passing_middleware()};
    return all;
}

void add_methods(method_table& methods, asio::any_io_executor pool)
{
    method_options elsewhere;
    elsewhere.executor = std::move(pool);
    method_options alone;
    alone.exclusive = true;
    methods.add("echo", [](json::value params) { return params; });
    methods.add("refuse", refuse);
    methods.add("hop", hop);
    methods.add("forever", forever, method_options{.open_ended = true});
    methods.add("report", report);
    methods.add("ask", ask);
    methods.add("ask_elsewhere", ask, elsewhere);
    methods.add("big", big);
    methods.add("stay", stay);
    methods.add("refuse_at_length", refuse_at_length);
    methods.add("alone", hop, alone);
    methods.add("offloaded", hop, elsewhere);
    methods.add("initialize", [](json::value) { return json::value(json::object{{"capabilities", json::object{}}}); });
}

} // namespace partyline::test
