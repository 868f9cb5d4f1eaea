#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/local/stream_protocol.hpp>

namespace partyline {

// What Asio's sockets leave out.

/// Keeps a descriptor out of the child processes that the program may start: there it would hold the connection open.
void set_close_on_exec(int descriptor) noexcept;

/// Connects without waiting. `would_block`: somebody listens, and has no room for one more yet. (Asio takes that for a
/// connection under way, and soon after for a connection.)
error_code connect_now(boost::asio::local::stream_protocol::socket& socket,
                       const boost::asio::local::stream_protocol::endpoint& to);

/// The address of a path. Fails with `name_too_long`, or `invalid_argument` for an empty path.
boost::asio::local::stream_protocol::endpoint unix_endpoint(const std::string& path, error_code& failed);

} // namespace partyline
