#include <partyline/tls/client_context.hpp>

#include "tls/context/client_core.hpp"

#include <utility>

namespace partyline::tls {

client_context::client_context(client_options options) : core_(std::make_shared<const client_core>(std::move(options)))
{
}

partyline::detail::secure_connector client_context::connector() const
{
    return [core = core_](int descriptor, const std::string& host) -> std::unique_ptr<partyline::detail::secure_layer> {
        return core->make_layer(descriptor, host, {"http/1.1"});
    };
}

std::shared_ptr<ssl_ctx_st> client_context::native_handle() const
{
    return {core_, core_->context()};
}

} // namespace partyline::tls
