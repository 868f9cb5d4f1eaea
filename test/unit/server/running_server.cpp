#include "running_server.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdint>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

asio::awaitable<void> wait(request_context& context)
{
    asio::steady_timer never(context.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::use_awaitable);
}

asio::awaitable<void> delay(request_context& context, int ms)
{
    asio::steady_timer timer(context.get_executor(), std::chrono::milliseconds(ms));
    co_await timer.async_wait(asio::use_awaitable);
}

} // namespace

method_table server_methods()
{
    method_table methods;
    methods.add("echo", [](json::value params) { return params; });
    methods.add("wait", wait);
    methods.add("delay", delay);
    methods.add("user", [](request_context& context) -> std::int64_t {
        return context.peer().local ? std::int64_t(context.peer().local->user) : -1;
    });
    methods.add("big", [](std::size_t size) { return std::string(size, 'x'); });
    return methods;
}

running_server::running_server(server_options options, int threads, served_methods methods) : crew_(threads)
{
    options.session.log = [this](std::string_view line) { log.put(std::string(line)); };
    options.on_session_end = [this](const session_counters& counters, error_code why) { ends.put({counters, why}); };
    server_.emplace(crew_.context.get_executor(), std::move(methods), std::move(options));
    server_->listen_unix(path());
    port_ = server_->listen_tcp("127.0.0.1", 0).port();
    server_->async_run([this](error_code failed) { ended_.put(failed); });
}

running_server::~running_server()
{
    server_.reset();
    crew_.join();
}

} // namespace partyline::test
