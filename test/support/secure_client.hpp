#pragma once

#include "support/unique_fd.hpp"
#include "tls/engine/openssl.hpp"

#include <string>
#include <string_view>

namespace partyline::test {

/// A client by TLS on the calling thread, by OpenSSL alone. Whatever fails, and a wait beyond `patience`, throws
/// `std::runtime_error`.
class secure_client {
public:
    /// Trusts this authority. It is not connected yet: a server that ends closes connections that are silent for a
    /// second.
    explicit secure_client(const std::string& ca_file);
    /// On a connected socket: shakes hands with a server that has a certificate for localhost.
    void open(unique_fd socket);

    void send(std::string_view text);
    /// All that comes until `until` has come.
    std::string read_until(std::string_view until);

private:
    unique_fd socket_;
    tls::ssl_ctx_pointer rules_;
    tls::ssl_pointer ssl_;
};

} // namespace partyline::test
