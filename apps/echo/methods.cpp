#include "methods.hpp"

#include "ask.hpp"
#include "command_line/line_log.hpp"
#include "lsp_methods.hpp"

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace echo {
namespace {

using number = std::variant<std::int64_t, double>;

partyline::task<json::value> echo(json::value params)
{
    co_return params;
}

// Ends at once, with an exception, when the peer cancels the request.
partyline::task<void> sleep(request_context& context, std::uint32_t ms)
{
    asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(ms));
    co_await timer.async_wait(asio::deferred);
}

partyline::task<std::optional<json::value>> delay(request_context& context, std::uint32_t ms,
                                                  std::optional<json::value> value)
{
    co_await sleep(context, ms);
    co_return value;
}

// Asks the caller in return, and answers what that says, be it an error.
partyline::task<json::value> call_back(request_context& context, std::string method, std::optional<json::value> params)
{
    json::value given = params.value_or(nullptr);
    auto reply = co_await context.call<json::value>(std::move(method), std::move(given))(asio::deferred);
    co_return std::move(reply).value();
}

partyline::task<json::object> count(request_context& context, std::uint32_t to, std::optional<std::uint32_t> ms)
{
    for (std::uint32_t i = 1; i <= to; ++i) {
        if (ms)
            co_await sleep(context, *ms);
        co_await context.progress(i);
    }
    json::object result{{"counted", to}};
    co_return result;
}

// A result in parts: none of them may be dropped, so this waits for a peer that does not read.
partyline::task<json::object> parts(request_context& context, std::uint32_t count, std::uint32_t bytes)
{
    const json::value id = json::parse(context.id().text());
    const std::string text(bytes, 'x');
    for (std::uint32_t i = 0; i < count; ++i) {
        json::object part{{"id", id}, {"index", i}, {"text", text}};
        co_await context.notify("part", std::move(part));
    }
    json::object result{{"parts", count}};
    co_return result;
}

number add(number a, number b)
{
    std::int64_t sum = 0;
    const auto* x = std::get_if<std::int64_t>(&a);
    const auto* y = std::get_if<std::int64_t>(&b);
    if (x && y && !__builtin_add_overflow(*x, *y, &sum))
        return sum;
    const auto as_double = [](auto n) { return static_cast<double>(n); };
    return std::visit(as_double, a) + std::visit(as_double, b);
}

number sum(const std::vector<number>& numbers)
{
    number total = std::int64_t(0);
    for (const number& n : numbers)
        total = add(total, n);
    return total;
}

// A plain function that computes: it runs on the pool, and looks now and then whether anybody still wants the result.
std::uint32_t spin(request_context& context, std::uint32_t ms)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    while (std::chrono::steady_clock::now() < end)
        context.throw_if_cancelled();
    return ms;
}

void fail(int code, std::string message, std::optional<json::value> data)
{
    throw partyline::rpc_error(code, std::move(message), std::move(data));
}

void throw_exception(std::string what)
{
    throw std::runtime_error(what);
}

void log(std::string message)
{
    command_line::say(partyline::printable(message)); // what a peer says may command a terminal
}

} // namespace

partyline::method_table make_methods(asio::any_io_executor pool, bool is_language_server)
{
    partyline::method_table methods;
    methods.add("echo", echo, {.description = "Returns its params"});
    methods.add("delay", delay, {"ms", "value"}, {.description = "Returns the value after so many milliseconds"});
    methods.add("call_back", call_back, {"method", "params"},
                {.description = "Calls the client, returns what that does"});
    methods.add("count", count, {"to", "ms"}, {.description = "Counts to a number, tells of progress every ms"});
    methods.add("parts", parts, {"count", "bytes"}, {.description = "Sends its result in parts, under a token"});
    methods.add("add", add, {"a", "b"}, {.description = "Adds two numbers"});
    const auto sum_all = [](partyline::whole_params<std::vector<number>> numbers) { return sum(numbers.value); };
    methods.add("sum", sum_all, {.description = "Adds any number of numbers"});
    methods.add("spin", spin, {"ms"}, {.executor = pool, .description = "Computes for so many milliseconds"});
    methods.add("fail", fail, {"code", "message", "data"}, {.description = "Answers with that error"});
    methods.add("throw", throw_exception, {"what"}, {.description = "Throws an exception"});
    methods.add_notification("log", log, {"message"}, {.description = "Writes a line to standard error"});
    add_ask(methods);
    if (is_language_server)
        add_lsp_methods(methods);

    std::vector<std::string> names = methods.names();
    names.push_back("methods");
    std::sort(names.begin(), names.end());
    methods.add("methods", [names] { return names; }, {.description = "Lists the methods"});
    methods.add_discovery({"partyline-echo", PARTYLINE_VERSION_STRING, "The sample server of partyline"});
    return methods;
}

} // namespace echo
