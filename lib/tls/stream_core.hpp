#pragma once

#include "tls/engine/layer.hpp"
#include "transport/socket/socket_channel.hpp"

#include <memory>
#include <utility>

namespace partyline::tls {

/// What a `stream` is a handle of. Operations hold it, so that a stream may be moved or destroyed meanwhile.
/// Thread safety: none.
class stream_core {
public:
    /// One without a connection.
    explicit stream_core(socket_channel::executor_type executor)
        : channel_(socket_channel::lowest_layer_type(std::move(executor)))
    {
    }
    stream_core(socket_channel::lowest_layer_type socket, std::unique_ptr<layer> encrypting)
        : ssl_(encrypting->native_handle()), channel_(std::move(socket), std::move(encrypting))
    {
    }

    socket_channel& channel() noexcept { return channel_; }
    SSL* native_handle() const noexcept { return channel_.layer() ? ssl_ : nullptr; }

private:
    SSL* ssl_ = nullptr; // the layer's
    socket_channel channel_;
};

} // namespace partyline::tls
