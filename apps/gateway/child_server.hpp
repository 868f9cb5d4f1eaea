#pragma once

#include "gateway/server_source.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gateway {

/// How a server is started and ended.
struct child_server_options {
    std::vector<std::string> command;
    /// How long the server has to end by itself, until it gets SIGTERM, and as long again until SIGKILL.
    std::chrono::steady_clock::duration exit_wait = std::chrono::seconds(2);
    /// The pause after which a server that was given up is started again, without end. Unset: it is not.
    std::optional<std::chrono::steady_clock::duration> retry_after = {};
    /// Called when the server was given up, and with false when another one has stayed up after that. May be empty.
    std::function<void(bool is_given_up)> on_given_up = {};
};

/// A program on standard input and output, which is started again when it ends. Requests that it has not answered fail
/// then. The lines of its standard error are logged.
std::shared_ptr<server_source> make_child_server(boost::asio::any_io_executor executor, child_server_options how,
                                                 server_use use);

} // namespace gateway
