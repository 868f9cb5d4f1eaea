#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <sys/types.h>

struct ssl_ctx_st; // OpenSSL's SSL_CTX
struct ssl_st;     // and SSL

namespace wire_client {

/// What the client's connections over TLS have in common: TLS 1.3, and whose certificate they take.
class tls_client {
public:
    /// The one in this file, for 127.0.0.1. Throws `failure`.
    explicit tls_client(const std::string& certificate_file);

    ssl_ctx_st* get() const noexcept { return context_.get(); }

private:
    std::shared_ptr<ssl_ctx_st> context_;
};

/// TLS over a connected socket, which outlives it.
class tls_wire {
public:
    /// Shakes hands, for which the socket waits. Throws `failure`.
    tls_wire(const tls_client& by, int socket);

    /// As the system's calls of these names for a socket that does not wait, `errno` included.
    ssize_t send(std::string_view text);
    ssize_t recv(char* to, std::size_t size);

private:
    ssize_t result(int count);

    std::shared_ptr<ssl_st> connection_;
};

} // namespace wire_client
