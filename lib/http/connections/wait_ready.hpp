#pragma once

#include "transport/socket/socket_channel.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>

namespace partyline::http {

using time_limit = std::chrono::steady_clock::time_point;
inline constexpr time_limit no_time_limit = time_limit::max();

enum class readiness : std::uint8_t { read, read_or_write };

/// Waits until it is worth while to read from the channel, or to write to it as well. The channel stays where it is
/// meanwhile.
///
/// Fails with       errc::timeout when `until` has come; operation_aborted when the channel is closed
/// Cancellation     terminal, partial, total: operation_aborted
boost::asio::awaitable<void> wait_ready(socket_channel& channel, readiness what, time_limit until);

} // namespace partyline::http
