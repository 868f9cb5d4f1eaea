#include <partyline/tls/server_context.hpp>

#include "tls/context/server_context_core.hpp"

#include <utility>

namespace partyline::tls {

server_context::server_context(server_options options)
    : core_(std::make_shared<server_context_core>(std::move(options)))
{
}

void server_context::reload()
{
    core_->reload();
}

void server_context::rotate_tickets()
{
    core_->rotate_tickets();
}

std::shared_ptr<detail::secure_layer_maker> server_context::maker() const
{
    return core_;
}

std::shared_ptr<ssl_ctx_st> server_context::native_handle() const
{
    auto state = core_->state();
    SSL_CTX* const context = state->context();
    return {std::move(state), context};
}

} // namespace partyline::tls
