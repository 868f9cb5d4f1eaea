#include "gateway/servers.hpp"

#include "command_line/line_log.hpp"
#include "command_line/serve_http.hpp"
#include "gateway/child_server.hpp"
#include "gateway/relay.hpp"

#include <boost/asio/io_context.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace gateway {
namespace {

void log_line(std::string_view line)
{
    command_line::say("partyline-gateway: " + std::string(line));
}

} // namespace

std::shared_ptr<upstream> servers::make(dialect speaks, bool is_shared)
{
    upstream_options how;
    how.open = [this](server_use use) { return make_child_server(executor_, options_.command, std::move(use)); };
    how.speaks = speaks;
    how.is_shared = is_shared;
    how.log = log_line;
    return std::make_shared<upstream>(executor_, std::move(how));
}

std::shared_ptr<upstream> servers::for_session(dialect speaks)
{
    if (options_.is_shared)
        return shared(speaks);
    std::shared_ptr<upstream> one = make(speaks, false);
    own_ = one;
    return one;
}

// A session over a connection of its own: by WebSocket, or without HTTP. It is not in the book of those that come by requests.
std::shared_ptr<const partyline::dispatcher> servers::serve_connection(dialect speaks,
                                                                       partyline::session_options& session)
{
    const partyline::http::mcp_session_limits& bounds = options_.http.server.mcp;
    session.idle_timeout = bounds.idle;
    std::erase_if(of_connections_, [](const auto& one) { return one.expired(); });
    if (of_connections_.size() >= bounds.sessions)
        throw std::runtime_error("as many servers run for connections as --max-sessions lets");
    std::shared_ptr<upstream> by = for_session(speaks);
    if (!options_.is_shared)
        of_connections_.push_back(by);
    return serve(speaks, std::move(by), session);
}

std::shared_ptr<upstream> servers::shared(dialect speaks)
{
    std::shared_ptr<upstream>& one = speaks == dialect::mcp ? mcp_ : plain_;
    if (!one)
        one = make(speaks, true);
    return one;
}

std::shared_ptr<const partyline::dispatcher> servers::serve(dialect speaks, std::shared_ptr<upstream> by,
                                                            partyline::session_options& session)
{
    const auto client = std::make_shared<relay>(speaks, std::move(by));
    session.profile = &client->profile();
    return relay::methods_of(client);
}

void servers::add_to(partyline::http::server& http)
{
    http.add_rpc("/rpc", [this](partyline::session_options& session) {
        return serve(dialect::plain, shared(dialect::plain), session);
    });
    const auto plain = [this](partyline::session_options& session) {
        return serve_connection(dialect::plain, session);
    };
    const auto mcp = [this](partyline::session_options& session) { return serve_connection(dialect::mcp, session); };
    partyline::http::forwarding_makers make;
    make.session = [this](partyline::session_options& session) {
        return serve(dialect::mcp, for_session(dialect::mcp), session);
    };
    make.connection = [this](partyline::session_options& session) {
        return serve(dialect::mcp, shared(dialect::mcp), session);
    };
    http.add_websocket("/ws", plain);
    http.add_websocket("/mcp/ws", mcp, partyline::http::websocket_kind::mcp);
    http.add_sessions(plain);
    http.add_mcp("/mcp", std::move(make));
}

bool servers::are_well() const
{
    const auto is_well = [](const std::shared_ptr<upstream>& one) { return !one || one->is_well(); };
    return is_well(plain_) && is_well(mcp_) && is_well(own_.lock());
}

void servers::stop()
{
    for (const auto& one : {plain_, mcp_}) {
        if (one)
            one->stop();
    }
}

int serve(options how)
{
    asio::io_context context(1);
    servers behind(context.get_executor(), how);
    how.http.server.is_healthy = [&behind] { return behind.are_well(); };
    const command_line::http_service service{[&](partyline::http::server& http) { behind.add_to(http); },
                                             [&] { behind.stop(); }};
    return command_line::serve_http(context, how.http, "partyline-gateway", service);
}

} // namespace gateway
