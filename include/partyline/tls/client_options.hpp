#pragma once

#include <partyline/tls/version.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct ssl_ctx_st; // OpenSSL's SSL_CTX

namespace partyline::tls {

/// The requirements of a client on a server's certificate.
enum class verify : std::uint8_t {
    full, ///< that a trusted authority has signed it, that it is valid now, and that it is for the host
    none  ///< nothing. Dangerous: anyone on the way can act as the server, and read and change everything
};

/// The options of TLS for clients. Ciphers are those that OpenSSL and the system's policy have; there is no compression
/// and no renegotiation.
struct client_options {
    /// The authorities whose server certificates are accepted: certificates in PEM. Empty: those that the system
    /// trusts.
    std::string ca_file = {};
    /// The client's certificate, which is shown where a server asks for one: with its chain, in PEM. Empty: none is
    /// shown.
    std::string certificate_file = {};
    /// The certificate's private key, in PEM and without a passphrase. Both are given, or none.
    std::string key_file = {};
    /// The requirements on the server's certificate.
    tls::verify verify = tls::verify::full;
    /// The oldest version of TLS that is accepted.
    version minimum_version = version::tls_1_2;
    /// Protocols that are offered, by their names for ALPN, the favourite first; empty: none are offered, except by the
    /// clients of HTTP, which offer http/1.1.
    std::vector<std::string> alpn = {};
    /// The time limit of `async_connect`: from the connection to the end of the handshake.
    std::chrono::steady_clock::duration handshake_timeout = std::chrono::seconds(10);
    /// Called with the SSL_CTX before it is used: the place for ciphers, curves, a key log, lists of revoked
    /// certificates. Its exceptions leave the constructor.
    std::function<void(ssl_ctx_st&)> adjust = {};
};

} // namespace partyline::tls
