#include "gateway/network_server.hpp"

#include "command_line/network_options.hpp"
#include "gateway/session_source.hpp"

#include <partyline/http/mcp_client.hpp>
#include <partyline/http/websocket_client.hpp>

#include <boost/json/object.hpp>

#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace gateway {
namespace {

partyline::session open_session(asio::any_io_executor executor, network_address at, const server_use& use)
{
    partyline::session_options how = session_options_for(use, at.how.session);
    if (at.is_websocket()) {
        how.on_overload = partyline::overload::pause; // a host that reads slowly holds its server up
        at.how.session = std::move(how);
        return partyline::http::websocket_client(std::move(executor), at.url, use.methods, std::move(at.how),
                                                 {"mcp", "jsonrpc"});
    }
    partyline::http::mcp_client client(std::move(executor), std::move(at.url), std::move(at.how));
    partyline::session opened = std::move(client).open(std::move(how));
    opened.use_methods(use.methods);
    return opened;
}

partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details)
{
    const bool says_all = details.empty() || why == partyline::errc::http_status;
    std::string reason = says_all ? details : details + ": ";
    if (!says_all || details.empty())
        reason += why.message();
    return {partyline::error_codes::internal_error, "The server did not answer",
            json::object{{"reason", std::move(reason)}}};
}

} // namespace

bool network_address::is_websocket() const
{
    return command_line::scheme_of(url).starts_with("ws");
}

std::shared_ptr<server_source> make_network_server(asio::any_io_executor executor, network_address at, server_use use)
{
    partyline::session opened = open_session(std::move(executor), std::move(at), use);
    return make_session_source(std::move(opened), no_answer, [log = std::move(use.log)](partyline::error_code why) {
        if (log)
            log("the connection ended: " + why.message());
    });
}

} // namespace gateway
