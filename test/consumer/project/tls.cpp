// A user's client over TLS against the installed library.
#include <partyline/tls.hpp>

#include <partyline/session.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <optional>

namespace asio = boost::asio;

int main()
{
    asio::io_context context(1);
    const asio::ip::tcp::acceptor listening(context, {asio::ip::address_v4::loopback(), 0});
    const auto port = listening.local_endpoint().port();
    partyline::tls::client_options options;
    options.handshake_timeout = std::chrono::milliseconds(10);
    bool is_timed_out = false;
    partyline::tls::async_connect(context.get_executor(), "127.0.0.1", port, partyline::tls::client_context(options),
                                  [&](partyline::error_code failed, partyline::tls::stream stream) {
                                      is_timed_out = failed == asio::error::timed_out;
                                      const partyline::session unused(std::move(stream));
                                  });
    context.run();
    return is_timed_out ? 0 : 1;
}
