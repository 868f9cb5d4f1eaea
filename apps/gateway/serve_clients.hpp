#pragma once

#include "command_line/observer.hpp"
#include "command_line/serve_http.hpp"
#include "gateway/options.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>

namespace gateway {

/// What a gateway begins with, before there are other threads: its budget of memory, where that is bounded, and where
/// it starts servers what reaps their children, where this is process 1. Throws `std::invalid_argument` where the
/// server's program can't be started.
void prepare(options& how);

/// Serves clients over HTTP until a signal ends that. `service` has what they are served with, and its end; how long
/// the end may take, and what the observer sees, is added here. Returns the exit code.
int serve_clients(boost::asio::io_context& context, const options& how, const command_line::observer& observer,
                  std::function<bool()> is_healthy, command_line::http_service service);

} // namespace gateway
