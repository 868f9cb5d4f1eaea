#include "gateway/serve.hpp"

#include "command_line/observer.hpp"
#include "gateway/of_each_thread.hpp"
#include "gateway/serve_clients.hpp"
#include "gateway/servers.hpp"

#include <partyline/mcp/method_names.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <functional>
#include <memory>
#include <utility>

namespace asio = boost::asio;

namespace gateway {

int serve(options how)
{
    prepare(how);
    const command_line::observer observer(how.telemetry, "partyline-gateway", {partyline::mcp::method_names(), true});
    asio::io_context context(1);
    const auto totals = std::make_shared<server_totals>(how);
    of_each_thread<servers> all;
    command_line::http_service service;
    service.add = [&](partyline::http::server& http) {
        all.add_to(http, [&](partyline::http::server& of_thread, const asio::any_io_executor& executor) {
            const auto its = std::make_shared<servers>(executor, how, observer, totals);
            its->add_to(of_thread);
            return its;
        });
    };
    service.on_begin = [&](std::function<void()> end) {
        totals->on_failure([&context, end = std::move(end)] { asio::post(context, end); });
    };
    service.on_end = [&] {
        all.end(context, [](servers& its, std::shared_ptr<const void> until_over) { its.stop(std::move(until_over)); });
    };
    const auto are_well = [totals] { return totals->are_well(); };
    const int code = serve_clients(context, how, observer, are_well, std::move(service));
    return totals->have_failed() ? partyline::exit_codes::stream_failed : code;
}

} // namespace gateway
