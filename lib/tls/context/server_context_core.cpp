#include "tls/context/server_context_core.hpp"

#include "tls/engine/failure.hpp"

#include <utility>

namespace partyline::tls {

server_context_core::server_context_core(server_options options)
    : options_(std::move(options)), tickets_(std::make_shared<ticket_keys>(options_.ticket_lifetime)),
      state_(std::make_shared<const server_state>(options_, tickets_))
{
}

void server_context_core::reload()
{
    auto read = std::make_shared<const server_state>(options_, tickets_);
    const std::lock_guard lock(mutex_);
    state_.swap(read);
}

std::shared_ptr<const server_state> server_context_core::state() const
{
    const std::lock_guard lock(mutex_);
    return state_;
}

std::unique_ptr<layer> server_context_core::make_layer(int descriptor, std::string_view first) const
{
    std::shared_ptr<const server_state> now = state();
    ssl_pointer ssl = made(ssl_pointer(SSL_new(now->context())));
    SSL_set_accept_state(ssl.get());
    return std::make_unique<layer>(std::move(ssl), descriptor, first, std::move(now));
}

std::unique_ptr<detail::secure_layer> server_context_core::accept(int descriptor, std::string_view first)
{
    return make_layer(descriptor, first);
}

} // namespace partyline::tls
