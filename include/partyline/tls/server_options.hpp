#pragma once

#include <partyline/tls/version.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct ssl_ctx_st; // OpenSSL's SSL_CTX

namespace partyline::tls {

/// The identity of a server: a certificate with its chain, in PEM, and its private key, in PEM and without a
/// passphrase. Both may be in one file.
struct certificate_files {
    /// The path of a file with the certificate and, after it, its chain.
    std::string certificate_file;
    /// The path of a file with the private key.
    std::string key_file;
};

/// The treatment of clients without a certificate, where certificates are asked for.
enum class client_certificates : std::uint8_t {
    required, ///< they are refused
    optional  ///< they are accepted; `peer_subject()` is empty
};

/// The options of TLS for servers. Ciphers are those that OpenSSL and the system's policy have; there is no
/// compression, no renegotiation and no early data.
struct server_options {
    /// At least one. The first is for clients that ask for no host, or for one that no certificate is for. Several may
    /// be for the same host, with keys of different types.
    std::vector<certificate_files> certificates;
    /// The authorities whose client certificates are accepted: certificates in PEM. Empty: none are asked for. Where
    /// they are, there are no session tickets: each connection's handshake verifies the client's certificate anew.
    std::string client_ca_file = {};
    /// The treatment of clients without a certificate; has an effect only with `client_ca_file`.
    client_certificates clients = client_certificates::required;
    /// The oldest version of TLS that is accepted.
    version minimum_version = version::tls_1_2;
    /// The protocols of the server, by their names for ALPN, the favourite first: the first one that the client offers
    /// as well is agreed on. A client that offers names, and none of these, is refused with the alert
    /// no_application_protocol; a client that offers none is accepted. Empty: the clients' offers are ignored.
    std::vector<std::string> alpn = {"http/1.1"};
    /// How often the key is changed that session tickets are encrypted with. A ticket is good until the second change
    /// after it. With `client_ca_file` the option has no effect.
    std::chrono::steady_clock::duration ticket_lifetime = std::chrono::hours(1);
    /// The time limit of `async_accept`: from its call to the end of the handshake.
    std::chrono::steady_clock::duration handshake_timeout = std::chrono::seconds(10);
    /// Called with each SSL_CTX before it is used, at first and by each `reload()`: the place for ciphers, curves, a
    /// key log, lists of revoked certificates. Its exceptions leave the constructor and `reload()`. The function leaves
    /// alone: the callbacks for server names, ALPN and tickets, whether there are tickets, and the session cache.
    std::function<void(ssl_ctx_st&)> adjust = {};
};

} // namespace partyline::tls
