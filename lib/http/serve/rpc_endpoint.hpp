#pragma once

#include "http/serve/endpoint.hpp"

#include <partyline/session/served_methods.hpp>

#include <memory>
#include <string_view>

namespace partyline::http {

class http_service;

/// Plain JSON-RPC by POST.
class rpc_endpoint final : public endpoint {
public:
    rpc_endpoint(const std::shared_ptr<http_service>& of, served_methods methods)
        : core_(of), methods_(std::move(methods))
    {
    }

    std::string_view allowed_methods() const noexcept override { return "POST, OPTIONS"; }
    bool allows(std::string_view method) const noexcept override { return method == "POST"; }
    answer serve(request&& asked, kept_state& of, reply_sink& line) override;

private:
    std::weak_ptr<http_service> core_; // which owns this
    served_methods methods_;
};

class kept_conversation;

/// The conversation that a connection has for an endpoint and the sender of this request, or a new one.
std::shared_ptr<kept_conversation> conversation_of(const endpoint& by, kept_state& of, http_service& core,
                                                   const served_methods& methods, const request& asked);

} // namespace partyline::http
