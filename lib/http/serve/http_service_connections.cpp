// Where connections come from, and what becomes of them first.

#include "http/serve/connection.hpp"
#include "http/serve/connection_stages.hpp"
#include "http/serve/http_service.hpp"
#include "http/serve/opening_stage.hpp"
#include "http/serve/session_stage.hpp"
#include "http/serve/use_peer.hpp"
#include "server/session_service.hpp"

#include <partyline/session/log.hpp>

#include <boost/asio/post.hpp>

#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace partyline::http {

void http_service::serve_sessions_by(served_methods methods)
{
    if (sessions_by_)
        throw std::logic_error("this server has something to serve sessions by already");
    sessions_by_ = std::move(methods);
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
    std::shared_ptr<const dispatcher> methods = sessions_by_->for_session(executor_, options);
    set_accepted_defaults(options);
    auto frames = make_framing(kind, options.bounds);
    return http::serve_session(shared_from_this(), std::move(channel),
                               {std::move(frames), std::move(methods), std::move(options), std::move(grant)},
                               std::move(on_end));
}

std::unique_ptr<served_connection> http_service::serve(listener::connection accepted, connection_hooks hooks)
{
    return serve(std::move(accepted), std::move(hooks), {});
}

std::unique_ptr<served_connection> http_service::serve(listener::connection accepted, connection_hooks hooks,
                                                       connection_mover mover)
{
    auto stages = std::make_unique<connection_stages>(std::move(mover));
    auto one = std::make_shared<opening_stage>(shared_from_this(), std::move(accepted));
    stages->enter(std::make_unique<shared_stage>(one));
    start_ticking();
    one->start(*stages, std::move(hooks));
    return stages;
}

// Its next request may have it move again, and by then it has to be known where it is: so it begins behind this.
std::unique_ptr<served_connection> http_service::resume(moved_connection one, connection_mover mover)
{
    auto stages = std::make_unique<connection_stages>(std::move(mover));
    note_time();
    start_ticking();
    borrowed_set work(working_);
    work.take().in.append(one.untaken);
    opened_connection opened{std::move(one.channel), std::move(one.peer), std::move(work), one.requests};
    stage_exit exit(*stages, std::move(one.on_end));
    auto next = std::make_shared<connection>(shared_from_this(), std::move(opened), std::move(exit));
    stages->enter(std::make_unique<shared_stage>(next));
    try {
        boost::asio::post(executor_, [next] { next->start(std::nullopt); });
    } catch (const std::bad_alloc&) {
        next->stop_at_once(); // which tells of the end
    }
    return stages;
}

void http_service::note_tls_failed(std::string_view what, const peer_identity& from, const error_code& why) noexcept
{
    if (!failed_tls_.allows(clock::now()))
        return;
    try {
        const std::string who = from.address ? from.address->ip.to_string() : "a Unix socket";
        write_log(options_.session.log, std::string(what) + " with " + who + " failed: " + why.message());
    } catch (...) { // no memory for the line
    }
}

} // namespace partyline::http
