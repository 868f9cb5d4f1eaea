#pragma once

#include "transport/socket/listener.hpp"

#include <partyline/protocol/errc.hpp>

#include <functional>
#include <memory>

namespace partyline {

/// A connection that is being served, whatever is spoken over it. To destroy it ends it at once.
class served_connection {
public:
    virtual ~served_connection() = default;

    virtual void close_in_order() = 0;
    virtual void stop_at_once() = 0;
};

/// Serves the connections that an `accept_loop` accepts. Used on the loop's strand.
class connection_service {
public:
    virtual ~connection_service() = default;

    /// `on_end` is to be called once on the loop's strand, with why it has ended, and never from within. When this throws,
    /// the connection is closed.
    virtual std::unique_ptr<served_connection> serve(listener::connection accepted,
                                                     std::function<void(error_code)> on_end) = 0;
    /// The loop has let it go from among the others; it is destroyed next.
    virtual void note_end(served_connection& gone, const error_code& why) = 0;
    /// None is left, and no other one will come.
    virtual void on_over() noexcept {}
};

} // namespace partyline
