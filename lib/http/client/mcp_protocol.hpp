#pragma once

#include "http/client/exchange_protocol.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace partyline::http {

/// That of MCP's Streamable HTTP, of both eras. Of the handshake's (2025-03-26 to 2025-11-25): a session, which is
/// begun again where the server has lost it; a stream of what the server says unasked; streams that break off are taken
/// up again; a cancel is a message; at the end the session is ended. Of 2026-07-28: fields that repeat what a message
/// says, and a cancel is the end of its POST.
std::unique_ptr<exchange_protocol> make_mcp_protocol(boost::asio::any_io_executor executor);

} // namespace partyline::http
