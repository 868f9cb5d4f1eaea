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
    /// On a connected socket: shakes hands with a server that has a certificate for localhost by this authority.
    secure_client(unique_fd socket, const std::string& ca_file);

    void send(std::string_view text);
    /// All that comes until `until` has come.
    std::string read_until(std::string_view until);

private:
    unique_fd socket_;
    tls::ssl_ctx_pointer rules_;
    tls::ssl_pointer ssl_;
};

} // namespace partyline::test
