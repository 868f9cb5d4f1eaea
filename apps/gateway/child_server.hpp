#pragma once

#include "gateway/server_source.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>
#include <vector>

namespace gateway {

/// A program on standard input and output, which is started again when it ends. What it was asked before and did not answer
/// fails. The lines of its standard error are logged.
std::unique_ptr<server_source> make_child_server(boost::asio::any_io_executor executor,
                                                 std::vector<std::string> command, server_use use);

} // namespace gateway
