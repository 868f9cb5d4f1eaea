#include "http/serve/websocket_endpoint.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/post_answer.hpp"
#include "http/serve/sender_of.hpp"
#include "http/serve/session_stage.hpp"
#include "http/serve/use_peer.hpp"
#include "http/websocket/websocket_framing.hpp"
#include "http/websocket/websocket_upgrade.hpp"
#include "server/session_service.hpp"

#include <partyline/protocol/error.hpp>

#include <array>
#include <chrono>
#include <span>
#include <utility>

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

// What clients call it: the SDKs of MCP the first, the others' clients one of the rest or nothing.
constexpr std::array<std::string_view, 1> mcp_names = {"mcp"};
constexpr std::array<std::string_view, 3> rpc_names = {"jsonrpc", "jsonrpc-2.0", "jsonrpc2.0"};

std::span<const std::string_view> names_of(websocket_kind kind) noexcept
{
    if (kind == websocket_kind::mcp)
        return mcp_names;
    return rpc_names;
}

} // namespace

endpoint::answer websocket_endpoint::serve(request&& asked, kept_state&, reply_sink&)
{
    const std::shared_ptr<http_service> core = core_.lock();
    if (core->is_draining())
        return busy();
    websocket_upgrade found = read_upgrade(asked.head, names_of(kind_));
    if (found.is_refused()) {
        response no = refuse(found.status, error_codes::invalid_request, found.problem);
        no.closes = true; // a proxy may take what comes behind it for frames, and let it pass
        no.fields = std::move(found.fields);
        return no;
    }
    session_options options = core->options().session;
    options.at_end_of_input = end_of_input::peer_gone; // whoever goes on would have said so
    use_peer(options, asked.from, asked.grant.get());
    std::shared_ptr<const dispatcher> methods = methods_.for_session(core->executor(), options);
    options.first_message_timeout = options.first_message_timeout.value_or(0s); // it may have come to listen
    set_accepted_defaults(options);
    const sender_facts sender = sender_of(asked.head, options, core->options().handler_fields);
    auto serve = [core, sender, grant = asked.grant, methods = std::move(methods),
                  options = std::move(options)](socket_channel channel, std::function<void(error_code)> on_end) {
        auto frames = std::make_unique<websocket_framing>(websocket_framing::side::server, options.bounds,
                                                          close_code::service_restart);
        return serve_session(core, std::move(channel), {std::move(frames), methods, options, grant, sender},
                             std::move(on_end));
    };
    return upgrade{std::move(found.fields), std::move(serve)};
}

} // namespace partyline::http
