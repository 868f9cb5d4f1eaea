#include <partyline/http/mcp_client.hpp>

#include "http/client/client_driver.hpp"
#include "http/client/mcp_protocol.hpp"
#include "http/client_settings.hpp"
#include "session/redaction.hpp"
#include "session_access.hpp"

#include <partyline/http/websocket_client.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/detail/serial_executor.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {

mcp_client::mcp_client(asio::any_io_executor executor, std::string address, client_options options)
    : executor_(std::move(executor)), url_(std::move(address)), options_(std::move(options))
{
    if (parse_url(url_).is_secure() && !options_.tls)
        throw std::invalid_argument("'" + redacted(url_) +
                                    "' is reached by TLS, and there is nothing to speak that by: "
                                    "client_options::tls");
}

session mcp_client::open(session_options options) &&
{
    const url to = parse_url(url_);
    options_.session = std::move(options);
    if (to.is_websocket())
        return websocket_client(executor_, url_, std::move(options_), {"mcp"});
    connection_options connections = connections_of(options_, to, client_kind::mcp);
    const asio::any_io_executor serial = partyline::detail::serial_executor(executor_, options_.session);
    return partyline::detail::session_access::make(
        std::make_shared<client_driver>(serial, to, std::move(connections), make_mcp_protocol(serial),
                                        std::make_shared<const method_table>(), std::move(options_.session)));
}

} // namespace partyline::http
