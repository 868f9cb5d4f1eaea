#pragma once

#include "support/test_certificates.hpp"

#include <partyline/connect.hpp>
#include <partyline/tls.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace partyline::test {

using ssl_stream = boost::asio::ssl::stream<unix_socket>;

/// What a handshake of ours has come to.
struct handshake_outcome {
    std::optional<error_code> failed;
    std::optional<tls::stream> stream;

    auto noting()
    {
        return [this](error_code result, tls::stream made) {
            failed = result;
            stream.emplace(std::move(made));
        };
    }
};

/// A client of other people's (Asio's), with what a test sets on it.
struct foreign_client {
    foreign_client(unix_socket socket, boost::asio::ssl::context& rules) : stream(std::move(socket), rules) {}

    SSL* native() { return stream.native_handle(); }
    /// The protocol that the server has chosen.
    std::string alpn();
    /// Who the server has shown itself as.
    std::string server_name();

    ssl_stream stream;
    std::optional<error_code> failed;
};

/// A server and clients of it, on one io_context and one thread, with certificates.
struct tls_fixture {
    tls_fixture();

    /// Runs until then; false: it takes too long, or nothing is left to do.
    bool run_until(const std::function<bool()>& done);

    tls::server_context& server();
    tls::client_context client() const { return tls::client_context(client_options); }

    /// A foreign client shakes hands with our server over a Unix socket. Both have an outcome after it.
    void shake(foreign_client& with, handshake_outcome& ours);
    std::unique_ptr<foreign_client> make_foreign_client();
    /// ... which says something, and hears it again from our side.
    bool echoes(foreign_client& client, tls::stream& ours);

    /// Our client connects to our server by TCP.
    void connect(const std::string& host, handshake_outcome& client, handshake_outcome& server);
    std::uint16_t port() const { return acceptor.local_endpoint().port(); }

    std::string read_line(tls::stream& from, error_code& failed);

    test_certificates files;
    boost::asio::io_context context{1};
    tls::server_options server_options;
    tls::client_options client_options;
    boost::asio::ssl::context foreign_rules{boost::asio::ssl::context::tls_client};
    boost::asio::ip::tcp::acceptor acceptor;

private:
    std::optional<tls::server_context> server_;
    std::unique_ptr<unix_socket> server_end_;
};

} // namespace partyline::test
