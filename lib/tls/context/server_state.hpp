#pragma once

#include "tls/context/identity_table.hpp"
#include "tls/context/ticket_keys.hpp"
#include "tls/engine/openssl.hpp"

#include <partyline/tls/server_options.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace partyline::tls {

/// What one reading of a server's files has come to. It never changes, and its connections keep it.
///
/// Thread safety: safe.
class server_state {
public:
    /// Throws as `server_context` does.
    server_state(const server_options& options, std::shared_ptr<ticket_keys> tickets);
    server_state(const server_state&) = delete;
    server_state& operator=(const server_state&) = delete;

    SSL_CTX* context() const noexcept { return context_.get(); }

private:
    void set_up(const server_options& options);
    void issue_tickets(std::chrono::steady_clock::duration lifetime);
    void use_certificates(const server_options& options);
    void ask_clients(const server_options& options);

    static int on_server_name(SSL* ssl, int* alert, void* self) noexcept;
    static int on_alpn(SSL* ssl, const unsigned char** chosen, unsigned char* chosen_size, const unsigned char* offered,
                       unsigned int offered_size, void* self) noexcept;
    int choose_certificate(SSL& ssl) const noexcept;

    std::shared_ptr<ticket_keys> tickets_;
    identity_table identities_;
    std::string alpn_;
    ssl_ctx_pointer context_;
};

} // namespace partyline::tls
