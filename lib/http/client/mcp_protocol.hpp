#pragma once

#include "http/client/exchange_protocol.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline::http {

/// MCP's Streamable HTTP, in both eras. In the handshake's (2025-03-26 to 2025-11-25): a session, which is begun again
/// where the server has lost it, and ended at the end; a stream of the server's own messages; streams that break off
/// are resumed; a cancel is a message. In that of 2026-07-28: fields that repeat parts of the message, and a cancel
/// closes the connection of its POST.
std::unique_ptr<exchange_protocol> make_mcp_protocol(boost::asio::any_io_executor executor);

} // namespace partyline::http
