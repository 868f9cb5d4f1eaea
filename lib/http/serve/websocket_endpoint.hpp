#pragma once

#include "http/serve/endpoint.hpp"

#include <partyline/http/conversation_maker.hpp>

#include <memory>
#include <string_view>

namespace partyline::http {

class http_service;

/// JSON-RPC by WebSocket: a session for each connection.
class websocket_endpoint final : public endpoint {
public:
    websocket_endpoint(const std::shared_ptr<http_service>& of, conversation_maker make, websocket_kind kind)
        : core_(of), make_(std::move(make)), kind_(kind)
    {
    }

    std::string_view allowed_methods() const noexcept override { return "GET, OPTIONS"; }
    bool allows(std::string_view method) const noexcept override { return method == "GET"; }
    answer serve(request&& asked, kept_state& of, reply_sink& line) override;

private:
    std::weak_ptr<http_service> core_; // which owns this
    conversation_maker make_;
    websocket_kind kind_;
};

} // namespace partyline::http
