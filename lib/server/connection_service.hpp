#pragma once

#include "transport/socket/listener.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/session/peer_identity.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace partyline {

/// A connection that is being served, whatever is spoken over it. To destroy it ends it at once.
class served_connection {
public:
    virtual ~served_connection() = default;

    virtual void close_in_order() = 0;
    virtual void stop_at_once() = 0;
};

/// What a connection tells the loop that has accepted it, on the loop's strand. `on_client` may be called on another
/// thread.
struct connection_hooks {
    /// The number of the thread whose executor the connection was accepted for.
    std::size_t thread = 0;
    /// Called once, with why it has ended, and never from within `serve()`.
    std::function<void(error_code)> on_end;
    /// Set where the peer is a proxy, and called once before the end: from where the connection comes, which is counted
    /// by that from then on; empty for what has no address. False: as many are open from there as there may be, and
    /// this one is to end.
    std::function<bool(const std::optional<ip_endpoint>&)> on_client;
};

/// Serves the connections that an `accept_loop` accepts. Used on the loop's strand.
class connection_service {
public:
    virtual ~connection_service() = default;

    /// Whether its peer is a proxy that first says from where the connection comes: it is not counted by address
    /// before.
    virtual bool is_by_proxy(const listener::connection&) const { return false; }
    /// Null: its peer is not admitted. Then the connection is closed, and also when this throws.
    virtual std::unique_ptr<served_connection> serve(listener::connection accepted, connection_hooks hooks) = 0;
    /// The end is near: whoever can go elsewhere is told so, and all are served as before.
    virtual void begin_lame_duck() noexcept {}
    /// Listening ends next, and each connection in order.
    virtual void begin_drain() noexcept {}
    /// Whether those who have connected before listening ends in order are served still, for a request each.
    virtual bool answers_the_last() const noexcept { return false; }
    /// The loop has let it go from among the others; it is destroyed next.
    virtual void note_end(served_connection& gone, const error_code& why) = 0;
    /// None is left, and no other one will come. It may be called more than once.
    virtual void on_over() noexcept {}
};

} // namespace partyline
