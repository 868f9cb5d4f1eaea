#pragma once

#include "http/serve/endpoint.hpp"

#include <partyline/http/forwarding_makers.hpp>

#include <memory>
#include <string_view>

namespace partyline::http {

class http_service;

/// JSON-RPC by WebSocket: a session for each connection.
class websocket_endpoint final : public endpoint {
public:
    websocket_endpoint(const std::shared_ptr<http_service>& of, served_methods methods, websocket_kind kind)
        : core_(of), methods_(std::move(methods)), kind_(kind)
    {
    }

    std::string_view allowed_methods() const noexcept override { return "GET, OPTIONS"; }
    bool allows(std::string_view method) const noexcept override { return method == "GET"; }
    answer serve(request&& asked, kept_state& of, reply_sink& line) override;

private:
    std::weak_ptr<http_service> core_; // which owns this
    served_methods methods_;
    websocket_kind kind_;
};

} // namespace partyline::http
