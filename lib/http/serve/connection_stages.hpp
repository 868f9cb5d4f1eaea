#pragma once

#include "server/connection_service.hpp"

#include <memory>
#include <utility>

namespace partyline::http {

/// An accepted connection that is served by one stage after the other: HTTP, and WebSocket where a request has asked
/// for that. Each has what it needs of the connection handed on by the one before.
class connection_stages final : public served_connection {
public:
    void close_in_order() override { current_->close_in_order(); }
    void stop_at_once() override { current_->stop_at_once(); }

    /// The next stage; the former is destroyed, and has nothing left to do.
    void enter(std::unique_ptr<served_connection> next) noexcept { current_.swap(next); }

private:
    std::unique_ptr<served_connection> current_;
};

} // namespace partyline::http
