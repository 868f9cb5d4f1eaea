#pragma once

#include "tool_limits.hpp"
#include "tools/commands/command_list.hpp"
#include "tools/files/root_set.hpp"

#include <partyline/mcp/server.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>

namespace tools {

/// What the tools work with. It outlives the server and its pool.
struct workplace {
    const root_set& roots;
    const command_list& commands;
    const tool_limits& limits;
    boost::asio::any_io_executor pool; ///< for what blocks
    std::size_t page_size = 0;         ///< of lists; 0: all is on one page
};

/// A server that offers the tools, the files of the roots as resources, and a prompt.
partyline::mcp::server make_server(const workplace& in);

} // namespace tools
