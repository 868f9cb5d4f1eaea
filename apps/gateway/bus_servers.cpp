#include "gateway/bus_servers.hpp"

#include "gateway/log_line.hpp"
#include "gateway/session_source.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;
using partyline::fleet::fleet_session_options;

namespace gateway {
namespace {

// Why no worker has a session.
using refusal = std::shared_ptr<std::optional<partyline::error_object>>;

// Of a session that was not opened, or has ended, nothing was done; of another one it may have been.
partyline::rpc_error no_answer(const refusal& why_not, const partyline::error_code& why)
{
    if (*why_not)
        return partyline::rpc_error(**why_not);
    if (why == partyline::errc::session_closed)
        return {partyline::error_codes::server_busy, "Server busy", json::object{{"reason", "closing"}}};
    return {partyline::error_codes::request_lost, "The server that had taken this request was lost",
            json::object{{"executed", "unknown"}}};
}

// Of one that was not opened its client alone is told, however often it tries.
void log_loss(partyline::error_code why)
{
    if (why != partyline::fleet::fleet_errc::not_opened)
        log_line("a session with a worker ended: " + why.message());
}

} // namespace

bus_servers::bus_servers(boost::asio::any_io_executor executor, const partyline::fleet::front& calls,
                         const front_settings& settings)
    : executor_(std::move(executor)), calls_(calls), settings_(settings)
{
}

std::shared_ptr<upstream> bus_servers::for_session(std::shared_ptr<const partyline::peer_identity> peer)
{
    fleet_session_options how;
    how.peer = std::move(peer);
    return make(std::move(how), true);
}

std::shared_ptr<upstream> bus_servers::for_listen(partyline::request_context& context)
{
    fleet_session_options how;
    how.kind = partyline::fleet::fleet_session_kind::requests;
    how.peer = std::make_shared<const partyline::peer_identity>(context.peer()); // whoever has no name has an address
    if (context.has_trace())
        how.traceparent = context.trace().traceparent();
    return make(std::move(how), false);
}

std::shared_ptr<upstream> bus_servers::make(fleet_session_options wanted, bool ends_client)
{
    upstream_options how;
    how.open = [calls = &calls_, given = &settings_.how, wanted = std::move(wanted)](const server_use& use) {
        fleet_session_options to = wanted;
        const auto why_not = std::make_shared<std::optional<partyline::error_object>>();
        to.session = session_options_for(use, given->http.server.session);
        to.on_opened = [why_not](const partyline::error_object* refused) {
            if (refused)
                why_not->emplace(*refused);
        };
        const answer_maker answer = [why_not](const partyline::error_code& why, const std::string&) {
            return no_answer(why_not, why);
        };
        return make_session_source(calls->open_session(use.methods, std::move(to)), answer, log_loss);
    };
    how.speaks = protocol::mcp;
    how.is_told_traces = settings_.how.tells_traces;
    how.observe = settings_.observe;
    how.ends_clients = ends_client;
    how.kept = settings_.kept;
    how.running = &running_;
    how.log = log_line;
    return std::make_shared<upstream>(executor_, std::move(how));
}

} // namespace gateway
