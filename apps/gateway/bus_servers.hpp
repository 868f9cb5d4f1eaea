#pragma once

#include "command_line/observer.hpp"
#include "gateway/options.hpp"
#include "gateway/upstream.hpp"

#include <partyline/fleet/front.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

namespace gateway {

/// What the clients of a front have in common.
struct front_settings {
    /// Lives longer.
    const options& how;
    /// Sees the requests that are passed on. May be empty.
    command_line::call_observer observe = {};
    /// The bytes that clients make the gateway keep, see `kept_bytes`. May be null.
    std::shared_ptr<partyline::memory_budget> kept = {};
};

/// Servers at the workers of a service, for what lasts longer than a call and so belongs to one worker. Each is used by
/// one client, and ends with that; the client's session ends with its server.
///
/// Thread safety: everything on the executor.
class bus_servers {
public:
    /// `calls` and `settings` live longer.
    bus_servers(boost::asio::any_io_executor executor, const partyline::fleet::front& calls,
                const front_settings& settings);
    bus_servers(const bus_servers&) = delete;
    bus_servers& operator=(const bus_servers&) = delete;

    /// All clients have gone: keeps `what` until these have ended, too.
    void keep_until_over(std::shared_ptr<const void> what) noexcept { running_.keep_until_empty(std::move(what)); }
    /// A server for a session of MCP (up to 2025-11-25), at a worker that is told who asks.
    std::shared_ptr<upstream> for_session(std::shared_ptr<const partyline::peer_identity> peer);
    /// The server that a worker's calls share, for a subscription of 2026-07-28.
    std::shared_ptr<upstream> for_listen(partyline::request_context& context);

private:
    std::shared_ptr<upstream> make(partyline::fleet::fleet_session_options wanted, bool ends_client);

    boost::asio::any_io_executor executor_;
    const partyline::fleet::front& calls_;
    const front_settings& settings_;
    running_servers running_;
};

} // namespace gateway
