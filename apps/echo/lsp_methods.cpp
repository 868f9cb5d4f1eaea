#include "lsp_methods.hpp"

#include <partyline/config.hpp>
#include <partyline/lsp/work_done_progress.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace asio = boost::asio;
namespace json = boost::json;
using partyline::request_context;

namespace echo {
namespace {

json::object initialize(json::value)
{
    json::object server{{"name", "partyline-echo"}, {"version", PARTYLINE_VERSION_STRING}};
    return {{"capabilities", json::object()}, {"serverInfo", std::move(server)}};
}

// Tells how far it is to who gave a token for that, and ends at once when it is cancelled.
partyline::task<json::object> slow(request_context& context, std::uint32_t steps, std::uint32_t ms)
{
    partyline::lsp::work_done_progress work(context);
    co_await work.begin("demo/slow");
    asio::steady_timer timer(context.get_executor());
    for (std::uint32_t done = 0; done < steps; ++done) {
        timer.expires_after(std::chrono::milliseconds(ms));
        co_await timer.async_wait(asio::deferred);
        const auto percentage = static_cast<unsigned>(std::uint64_t(done + 1) * 100 / steps);
        co_await work.report("step " + std::to_string(done + 1), percentage);
    }
    co_await work.end();
    json::object result{{"steps", steps}};
    co_return result;
}

} // namespace

void add_lsp_methods(partyline::method_table& methods)
{
    methods.add("initialize", initialize);
    methods.add_notification("initialized", [](json::value) {});
    methods.add("demo/echo", [](json::value params) { return params; });
    methods.add("demo/slow", slow, {"steps", "ms"});
}

} // namespace echo
