#pragma once

#include "server/connection_service.hpp"
#include "transport/socket/socket_channel.hpp"

#include <functional>
#include <memory>
#include <string>

namespace partyline::http {

/// An answer with which a connection goes on by another protocol (status 101).
struct upgrade {
    /// Of the answer, each with its line end.
    std::string fields;
    /// Serves what the connection becomes, when the answer has been sent. `on_end` is to be called once, not from
    /// within.
    std::function<std::unique_ptr<served_connection>(socket_channel channel, std::function<void(error_code)> on_end)>
        serve;
};

} // namespace partyline::http
