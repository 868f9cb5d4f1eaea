#pragma once

#include <partyline/config.hpp>
#include <partyline/tls/server_options.hpp>

#include <memory>

namespace partyline::detail {

class secure_layer_maker;

} // namespace partyline::detail

namespace partyline::tls {

class server_context_core;

/// The certificates and rules of a server, for any number of connections, of any number of servers.
///
/// A cheap handle: copies are the same context. The context lives as long as a connection needs it.
/// Thread safety: safe.
///
///     tls::server_options options;
///     options.certificates.push_back({"/etc/notes/chain.pem", "/etc/notes/key.pem"});
///     tls::server_context certificates(std::move(options));
///     tls::stream stream = co_await tls::async_accept(std::move(socket), certificates, boost::asio::deferred);
///     partyline::session server(std::move(stream), std::move(methods));
class PARTYLINE_EXPORT server_context {
public:
    /// Reads the files. Throws `boost::system::system_error` for one that can't be read and `std::invalid_argument` for
    /// one with wrong contents, with a text that names the file and the problem; `std::invalid_argument` also for no
    /// certificates.
    explicit server_context(server_options options);

    /// Reads the files again, for connections that are made from now on; existing ones keep their certificates, and
    /// tickets stay valid. Throws as the constructor does: then everything stays as it was.
    void reload();

    /// Changes the key of session tickets early, for example after a key was disclosed: after two calls no old ticket
    /// is valid. A server that asks for certificates of clients has no tickets.
    void rotate_tickets();

    /// For code that makes connections itself, such as `http::server`.
    std::shared_ptr<detail::secure_layer_maker> maker() const;

    /// OpenSSL's object for connections that are made now, to look at and to make connections from while this context
    /// lives. Others may be using it, so it is changed by `server_options::adjust` only.
    std::shared_ptr<ssl_ctx_st> native_handle() const;

private:
    friend class handshake;

    std::shared_ptr<server_context_core> core_;
};

} // namespace partyline::tls
