#pragma once

#include "tls/engine/layer.hpp"
#include "tls/engine/openssl.hpp"

#include <partyline/config.hpp>
#include <partyline/tls/client_options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace partyline::tls {

/// What the copies of a `client_context` share. It never changes.
/// Thread safety: safe.
class PARTYLINE_EXPORT client_core final : public std::enable_shared_from_this<client_core> {
public:
    explicit client_core(client_options options);
    client_core(const client_core&) = delete;
    client_core& operator=(const client_core&) = delete;

    const client_options& options() const noexcept { return options_; }
    SSL_CTX* context() const noexcept { return context_.get(); }

    /// For a connection to `host`, a name or an address, whose certificate has to be for it. Throws `std::bad_alloc`,
    /// and `std::invalid_argument` for what is no host's name. `usual` is offered by ALPN where the options offer
    /// nothing.
    std::unique_ptr<layer> make_layer(int descriptor, const std::string& host,
                                      const std::vector<std::string>& usual = {}) const;

private:
    void set_up();
    void use_certificate();
    void trust_authorities();

    const client_options options_;
    ssl_ctx_pointer context_;
};

} // namespace partyline::tls
