#include "support/call_storm.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <iterator>
#include <random>
#include <string_view>

namespace asio = boost::asio;
namespace json = boost::json;
using boost::asio::awaitable;

namespace partyline::test {
namespace {

awaitable<json::value> hop(request_context& context, json::value params)
{
    co_await context.progress(1);
    co_await asio::post(context.get_executor(), asio::use_awaitable);
    co_return params;
}

awaitable<json::value> ask(request_context& context, json::value params, std::string method)
{
    auto answer = co_await context.call<json::value>(std::move(method), std::move(params))(asio::use_awaitable);
    co_return std::move(answer).value();
}

awaitable<void> wait_for_cancel(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::use_awaitable);
}

void add(method_table& methods, const std::string& prefix, const method_options& options)
{
    const auto asking = [](std::string method) {
        return [method = std::move(method)](request_context& context, json::value params) {
            return ask(context, std::move(params), method);
        };
    };
    methods.add(prefix + "echo", [](json::value params) { return params; }, options);
    methods.add(prefix + "hop", hop, options);
    methods.add(prefix + "back", asking("pool_echo"), options);
    methods.add(prefix + "deep", asking(prefix + "back"), options);
    methods.add(prefix + "wait", wait_for_cancel, options);
    methods.add(prefix + "ask_wait", asking("pool_wait"), options);
}

const char* const names[] = {"echo", "hop", "back", "deep", "wait", "ask_wait"};

} // namespace

std::shared_ptr<const method_table> make_storm_methods(const asio::any_io_executor& pool)
{
    method_table methods;
    add(methods, "", {});
    add(methods, "pool_", {.executor = pool});
    return std::make_shared<const method_table>(std::move(methods));
}

call_storm::call_storm(session& target, asio::thread_pool& elsewhere, unsigned seed, plan how)
    : target_(target), elsewhere_(elsewhere), how_(how)
{
    for (int i = 0; i != count; ++i)
        calls_.push_back(std::make_shared<one>(elsewhere));
    for (int i = 0; i != threads; ++i)
        callers_.emplace_back([this, seed, i] { make_calls(seed * threads + unsigned(i), i * (count / threads)); });
}

call_storm::~call_storm()
{
    for (std::thread& caller : callers_)
        caller.join();
}

void call_storm::make_calls(unsigned seed, int first)
{
    std::mt19937 random(seed);
    for (int i = first; i != first + count / threads; ++i) {
        const std::string_view name = names[random() % std::size(names)];
        const std::string method = (random() % 2 ? "pool_" : "") + std::string(name);
        const std::string params = name.ends_with("wait") ? "[]" : '[' + std::to_string(i) + ']';
        const bool must_cancel = how_ == plan::all_end && name.ends_with("wait");
        if (must_cancel || random() % 4 == 0)
            start_cancelled(calls_[std::size_t(i)], method, params);
        else
            start(*calls_[std::size_t(i)], method, params, random());
    }
}

auto call_storm::handler(one& own, std::string expected)
{
    return [this, &own, expected = std::move(expected)](error_code failed, const response& reply) {
        if (failed)
            end(own, failed.message());
        else if (reply.error())
            end(own, "error " + std::to_string(reply.error()->code));
        else
            end(own, reply->text() == expected ? "result" : "wrong result");
    };
}

void call_storm::start(one& own, const std::string& method, const std::string& params, unsigned variant)
{
    auto done = handler(own, params);
    if (variant % 3 == 0)
        target_.call(method, json_text(params))(std::move(done));
    else if (variant % 3 == 1)
        target_.call(method, json_text(params))(asio::bind_executor(elsewhere_, std::move(done)));
    else
        target_.call(method, json_text(params))(asio::bind_executor(own.home, std::move(done)));
}

// A signal is for one thread at a time: the strand makes that so.
void call_storm::start_cancelled(const std::shared_ptr<one>& own, const std::string& method, const std::string& params)
{
    ++cancelled_;
    asio::post(own->home, [this, own, method, params] {
        auto done = asio::bind_executor(own->home, handler(*own, params));
        target_.call(method, json_text(params))(asio::bind_cancellation_slot(own->cancel.slot(), std::move(done)));
    });
    asio::post(own->home, [own] { own->cancel.emit(asio::cancellation_type::all); });
}

void call_storm::end(one& own, const std::string& what)
{
    const std::lock_guard lock(mutex_);
    ++outcomes_[what];
    if (own.times++ != 0)
        ++repeated_;
    else if (--open_ == 0)
        all_.notify_all();
}

bool call_storm::wait()
{
    std::unique_lock lock(mutex_);
    return all_.wait_for(lock, std::chrono::seconds(60), [this] { return open_ == 0; });
}

int call_storm::times(const std::string& what) const
{
    const auto found = outcomes_.find(what);
    return found == outcomes_.end() ? 0 : found->second;
}

std::string call_storm::summary() const
{
    std::string text;
    for (const auto& [what, times] : outcomes_)
        text += std::to_string(times) + " x " + what + "; ";
    return text;
}

} // namespace partyline::test
