#pragma once

#include "http/serve/endpoint.hpp"

#include <partyline/http/conversation_maker.hpp>

#include <memory>
#include <string_view>

namespace partyline::http {

class http_service;

/// Plain JSON-RPC by POST.
class rpc_endpoint final : public endpoint {
public:
    rpc_endpoint(const std::shared_ptr<http_service>& of, conversation_maker make) : core_(of), make_(std::move(make))
    {
    }

    std::string_view allowed_methods() const noexcept override { return "POST, OPTIONS"; }
    bool allows(std::string_view method) const noexcept override { return method == "POST"; }
    answer serve(request&& asked, kept_state& of, reply_sink& line) override;

private:
    std::weak_ptr<http_service> core_; // which owns this
    conversation_maker make_;
};

class kept_conversation;

/// The conversation that a connection has for an endpoint and the sender of this request, or a new one.
std::shared_ptr<kept_conversation> conversation_of(const endpoint& by, kept_state& of, http_service& core,
                                                   const conversation_maker& make, const request& asked);

} // namespace partyline::http
