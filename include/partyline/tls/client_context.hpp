#pragma once

#include <partyline/config.hpp>
#include <partyline/tls/client_options.hpp>
#include <partyline/transport/detail/secure_layer.hpp>

#include <memory>

namespace partyline::tls {

class client_core;

/// The trusted authorities and the certificate of a client, for any number of connections to any servers.
///
/// A cheap handle: copies are the same context. The context lives as long as a connection needs it.
/// Thread safety: safe.
///
///     tls::client_context trusted; // whom the system trusts
///     tls::stream stream = co_await tls::async_connect(executor, "example.org", 4433, trusted, boost::asio::deferred);
///     partyline::session client(std::move(stream));
class PARTYLINE_EXPORT client_context {
public:
    /// Trusts the authorities that the system trusts.
    client_context() : client_context(client_options{}) {}
    /// Reads the files. Throws `boost::system::system_error` for one that can't be read and `std::invalid_argument` for
    /// one with wrong contents, with a text that names the file and the problem; `std::invalid_argument` also for a
    /// certificate without a key, or the other way round.
    explicit client_context(client_options options);

    /// For the clients of HTTP, which make connections themselves. The context lives as long as the result.
    partyline::detail::secure_connector connector() const;

    /// OpenSSL's object, to look at and to make connections from while this context lives. Others may be using it, so
    /// it is changed by `client_options::adjust` only.
    std::shared_ptr<ssl_ctx_st> native_handle() const;

private:
    friend class handshake;

    std::shared_ptr<const client_core> core_;
};

} // namespace partyline::tls
