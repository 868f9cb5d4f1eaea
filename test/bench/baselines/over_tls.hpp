#pragma once

#include "on_port.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace baseline {

namespace ssl = boost::asio::ssl;

/// The same over TLS, of `argv`'s CERTIFICATE and KEY: runs `serve(stream)` for each client. The program's exit code.
template <class Stream, class Serve>
int listen_over_tls(const char* scheme, int argc, char** argv, Serve serve)
{
    if (argc != 3)
        return 2;
    ssl::context shown(ssl::context::tls_server);
    shown.use_certificate_chain_file(argv[1]);
    shown.use_private_key_file(argv[2], ssl::context::pem);
    listen(scheme, [&shown, serve](tcp::socket socket) {
        socket.set_option(tcp::no_delay(true)); // or an answer behind session tickets waits for their ACK: 40 ms
        return serve(Stream(std::move(socket), shown));
    });
    return 0;
}

} // namespace baseline
