// A server over HTTP by two threads, with a handler that never returns: stuck_server

#include "command_line/http_options.hpp"
#include "command_line/line_log.hpp"
#include "command_line/serve_http.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/io_context.hpp>

#include <memory>
#include <utility>

#include <unistd.h>

int main()
{
    command_line::http_options how;
    how.addresses.push_back({"127.0.0.1", 0});
    how.manager = std::make_shared<command_line::service_manager>();
    how.server.threads = 2;
    command_line::http_service service;
    service.add = [](partyline::http::server& http) {
        partyline::method_table methods;
        methods.add("ping", [] { return "pong"; });
        methods.add("never", [] {
            command_line::say("stuck");
            for (;;)
                ::pause();
        });
        http.add_rpc("/rpc", std::move(methods));
    };
    boost::asio::io_context context(1);
    return command_line::serve_http(context, how, "stuck_server", service);
}
