// Where connections come from, and what becomes of them first.

#include "http/serve/connection_stages.hpp"
#include "http/serve/http_service.hpp"
#include "http/serve/opening_stage.hpp"
#include "http/serve/session_stage.hpp"
#include "http/serve/use_peer.hpp"
#include "server/session_service.hpp"
#include "session/log.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace partyline::http {

void http_service::serve_sessions_by(conversation_maker make)
{
    if (sessions_by_)
        throw std::logic_error("this server has something to serve sessions by already");
    sessions_by_ = std::move(make);
}

std::size_t http_service::add_listener(const accepted_protocols& accepted)
{
    const bool has_sessions = accepted.lines || accepted.content_length;
    if (has_sessions && !sessions_by_)
        throw std::invalid_argument(
            "to accept sessions without HTTP, add what they are served by: server::add_sessions");
    if (!has_sessions && !accepted.http)
        throw std::invalid_argument("an address to listen on has to accept something");
    if (accepted.tls != encryption::none && !options_.tls)
        throw std::invalid_argument("to accept TLS, a server needs a certificate: server_options::tls");
    listeners_.push_back(accepted);
    return listeners_.size() - 1;
}

std::unique_ptr<served_connection> http_service::serve_session(socket_channel channel, const peer_identity& from,
                                                               std::shared_ptr<const access_grant> grant,
                                                               framing_kind kind,
                                                               std::function<void(error_code)> on_end)
{
    session_options options = options_.session;
    use_peer(options, from, grant.get());
    std::shared_ptr<const dispatcher> methods = sessions_by_(options);
    set_accepted_defaults(options);
    auto frames = make_framing(kind, options.bounds);
    return http::serve_session(shared_from_this(), std::move(channel),
                               {std::move(frames), std::move(methods), std::move(options), std::move(grant)},
                               std::move(on_end));
}

std::unique_ptr<served_connection> http_service::serve(listener::connection accepted, connection_hooks hooks)
{
    auto stages = std::make_unique<connection_stages>();
    auto one = std::make_shared<opening_stage>(shared_from_this(), std::move(accepted));
    stages->enter(std::make_unique<shared_stage>(one));
    start_ticking();
    one->start(*stages, std::move(hooks));
    return stages;
}

void http_service::note_tls_failed(std::string_view what, const peer_identity& from, const error_code& why) noexcept
{
    if (!failed_tls_.allows(clock::now()))
        return;
    try {
        const std::string who = from.address ? from.address->address().to_string() : "a Unix socket";
        write_log(options_.session.log, std::string(what) + " with " + who + " failed: " + why.message());
    } catch (...) { // no memory for the line
    }
}

} // namespace partyline::http
