#include <partyline/http/websocket_client.hpp>

#include "http/client/websocket_stream.hpp"
#include "http/client_settings.hpp"
#include "http/websocket/websocket_framing.hpp"
#include "session/redaction.hpp"
#include "session_access.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/detail/serial_executor.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

session websocket_client(asio::any_io_executor executor, const std::string& address, const served_methods& methods,
                         client_options options, std::vector<std::string> subprotocols)
{
    const url to = parse_url(address);
    if (!to.is_websocket())
        throw std::invalid_argument("'" + redacted(address) +
                                    "' is not reached by WebSocket; expected ws:// or wss://");
    session_options how = options.session;
    how.at_end_of_input = end_of_input::peer_gone; // a server that goes on would have said so
    const asio::any_io_executor serial = partyline::detail::serial_executor(std::move(executor), how);
    auto its = methods.for_session(serial, how);
    auto stream =
        std::make_unique<websocket_stream>(connector(serial, to, connections_of(options, to, client_kind::websocket)),
                                           std::move(subprotocols), std::move(options.on_subprotocol));
    auto frames = std::make_unique<websocket_framing>(websocket_framing::side::client, how.bounds, close_code::normal);
    return partyline::detail::session_access::make(
        std::make_shared<stream_driver>(serial, std::move(stream), std::move(its), std::move(how), std::move(frames)));
}

session websocket_client(asio::any_io_executor executor, const std::string& address, client_options options,
                         std::vector<std::string> subprotocols)
{
    return websocket_client(std::move(executor), address, method_table(), std::move(options), std::move(subprotocols));
}

} // namespace partyline::http
