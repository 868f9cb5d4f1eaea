#include "telemetry/spans/span.hpp"

#include "telemetry/json_text.hpp"

#include <algorithm>
#include <string_view>

namespace partyline::telemetry {
namespace {

span_transport transport_of(const peer_identity& peer) noexcept
{
    if (peer.address)
        return span_transport::tcp;
    return peer.local ? span_transport::unix_socket : span_transport::pipe;
}

} // namespace

std::string_view kept(std::string_view text) noexcept
{
    return text.substr(0, longest_shown + 4);
}

void place(span& one, const trace_context& trace)
{
    std::ranges::copy(trace.trace_id(), one.trace_id.begin());
    std::ranges::copy(trace.span_id(), one.span_id.begin());
    one.has_parent = !trace.parent_id().empty();
    std::ranges::copy(trace.parent_id(), one.parent_id.begin());
    one.state = trace.state();
}

span make_span(const served_event& event, std::chrono::system_clock::time_point now)
{
    span made;
    place(made, *event.trace);
    made.outcome = outcome_of(event);
    made.transport = transport_of(event.peer);
    made.error_code = event.error_code;
    made.ended = now.time_since_epoch();
    made.began = made.ended - (event.ended - event.arrived);
    made.method = kept(event.method);
    made.key = kept(event.key);
    made.id = kept(event.id);
    made.principal = kept(event.peer.principal);
    made.protocol_version = kept(event.protocol_version);
    made.session_digest = kept(event.session_digest);
    made.address = event.peer.address;
    return made;
}

} // namespace partyline::telemetry
