#pragma once

#include "gateway/server_source.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gateway {

/// How a server is started and ended.
struct child_server_options {
    std::vector<std::string> command;
    /// How long it has to end, when it is to, until it gets SIGTERM, and as long again until SIGKILL.
    std::chrono::steady_clock::duration exit_wait = std::chrono::seconds(2);
    /// After which pause one that was given up is started again, for ever. Unset: never.
    std::optional<std::chrono::steady_clock::duration> retry_after = {};
};

/// A program on standard input and output, which is started again when it ends. What it was asked before and did not
/// answer fails. The lines of its standard error are logged.
std::shared_ptr<server_source> make_child_server(boost::asio::any_io_executor executor, child_server_options how,
                                                 server_use use);

} // namespace gateway
